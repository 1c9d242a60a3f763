#include "actors/backend/answers.hpp"
#include "actors/caf/caf.hpp"
#include "actors/caf/network.hpp"
#include "actors/cluster/server.hpp"
#include "actors/cluster/worker.hpp"
#include "actors/scheduler/scheduler_state.hpp"
#include "messages/orders.hpp"
#include "tests/bench/asking.hpp"
#include "tests/bench/bare_caf.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/peer.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <google/protobuf/wrappers.pb.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <future>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

// What it costs that a worker is another process: beside a ping-pong of the
// same bytes over raw TCP, and beside CAF's bare requests. This process is on
// one core, its peer on another.

namespace {

using namespace turnstile;
using bench::figures;
using bench::many_open;
using bench::nanoseconds;
using bench::per_answer;
using google::protobuf::BytesValue;

constexpr std::size_t payload = bench::bare_payload;

// --- peers

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return where;
}

void read_all(int fd, char* into, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const auto count = read(fd, into + done, size - done);
    if (count <= 0)
      std::_Exit(0);
    done += static_cast<std::size_t>(count);
  }
}

void echo_tcp(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const auto where = loopback(port);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&where), sizeof(where))
      != 0)
    std::_Exit(1);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  std::array<char, payload> bytes{};
  for (;;) {
    read_all(fd, bytes.data(), bytes.size());
    if (write(fd, bytes.data(), bytes.size()) < 0)
      std::_Exit(0);
  }
}

void echo_works(std::uint16_t port) {
  bench::one_core_config config;
  caf::actor_system system{config};
  worker_options options;
  options.name = "peer";
  options.incarnation = 1;
  options.uplink.seed = 1;
  options.backends.add("echo", turnstile::spawn<bench::echo_backend>(system),
                       gate_policy{1024});
  options.find = over_network("127.0.0.1", port);
  auto worker = spawn_worker(system, std::move(options));
  pause();
}

const bench::peer_kind tcp_peer{"echo_tcp", echo_tcp};
const bench::peer_kind worker_peer{"echo_works", echo_works};

// --- this side

double tcp_round_trip(int rounds) {
  const int door = socket(AF_INET, SOCK_STREAM, 0);
  auto where = loopback(0);
  socklen_t size = sizeof(where);
  if (bind(door, reinterpret_cast<sockaddr*>(&where), size) != 0
      || listen(door, 1) != 0
      || getsockname(door, reinterpret_cast<sockaddr*>(&where), &size) != 0)
    std::abort();
  bench::peer other{tcp_peer, ntohs(where.sin_port)};
  const int fd = accept(door, nullptr, nullptr);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  std::array<char, payload> bytes{};
  const auto spent = nanoseconds([&] {
    for (int i = 0; i < rounds; ++i) {
      if (write(fd, bytes.data(), bytes.size()) < 0)
        std::abort();
      read_all(fd, bytes.data(), bytes.size());
    }
  });
  close(fd);
  close(door);
  return spent / rounds;
}

struct echo_state {
  using branch_type = int;
  [[nodiscard]] result<branch_type> branch() const { return 0; }
  static status commit_branch(branch_type&&) { return {}; }
  static status apply(branch_type&, BytesValue&) { return {}; }
  [[nodiscard]] static bool permits_parallel_branches() { return true; }
};

struct echo_program {
  using work_message = BytesValue;
  using outcome_message = BytesValue;
  using state_type = echo_state;
  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

figures remote_works(int rounds) {
  bench::one_core_config config;
  caf::actor_system system{config};
  scheduler_options options;
  options.settings.limits.max_in_flight_global = 1024;
  options.settings.limits.max_in_flight_per_request = 1024;
  options.settings.limits.max_new_submissions_per_turn = 1024;
  auto scheduler = *spawn_scheduler<echo_program>(system, options);
  front_desk_options front;
  front.name = "bench";
  front.incarnation = 1;
  auto made = *spawn_server(system, scheduler, std::move(front));
  auto port = publish(system, node_actor{made.front}, 0);
  figures seen;
  {
    bench::peer other{worker_peer, *port};
    caf::scoped_actor self{system};
    wire::RunAccepted expected;
    expected.add_lacking("echo");
    (void)ask<wire::RunAccepted>(self, made.workers, expected);
    auto door = *ask<door_actor>(self, scheduler, open_atom_v,
                                 registration(request_id{1}));
    BytesValue work;
    work.set_value(std::string(payload, 'x'));
    const auto what = order(work);
    auto asks = [door, what](caf::event_based_actor* me, auto done) {
      mail(me, run_atom_v, what)
        .request(door, caf::infinite)
        .then([done](const wire::WorkEnded&) { done(); },
              [](const caf::error&) { std::abort(); });
    };
    per_answer(system, asks, rounds / 10, 1);
    seen.one = per_answer(system, asks, rounds, 1);
    seen.many = per_answer(system, asks, rounds * 4, many_open);
    (void)ask<void>(self, made.front, drain_atom_v);
  }
  caf::anon_send_exit(made.workers, caf::exit_reason::kill);
  caf::anon_send_exit(scheduler, caf::exit_reason::kill);
  return seen;
}

void line(const char* what, double ns, double of) {
  std::printf("  %-44s %8.1f us  %5.2f\n", what, ns / 1000, ns / of);
}

void run() {
  bench::pinned here{0};
  constexpr int rounds = 20'000;
  const auto tcp = tcp_round_trip(rounds);
  const auto bare = bench::bare_caf(rounds);
  const auto works = remote_works(rounds);
  const auto again = tcp_round_trip(rounds);
  const auto raw = std::min(tcp, again);
  std::printf("  %zu bytes each way, one open                  time  of TCP\n",
              payload);
  line("raw TCP ping-pong", raw, raw);
  line("bare CAF request", bare.one, raw);
  line("remote work, submitted to told", works.one, raw);
  std::printf("  %-44s %8s     %5.2f\n", "  of bare CAF", "",
              works.one / bare.one);
  std::printf("  %d open                                      rate  of CAF\n",
              many_open);
  std::printf("  %-44s %8.0f /s  %5.2f\n", "bare CAF requests", 1e9 / bare.many,
              1.0);
  std::printf("  %-44s %8.0f /s  %5.2f\n", "remote works", 1e9 / works.many,
              bare.many / works.many);
}

const bench::registered nodes{"nodes", run};

} // namespace
