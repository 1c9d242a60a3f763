#include "actors/backend/answers.hpp"
#include "actors/caf/caf.hpp"
#include "actors/caf/network.hpp"
#include "actors/rank/rank_meeting.hpp"
#include "actors/rank/rank_state.hpp"
#include "tests/bench/asking.hpp"
#include "tests/bench/bare_caf.hpp"
#include "tests/bench/bench.hpp"
#include "tests/bench/peer.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <google/protobuf/wrappers.pb.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>

// What a turn of three ranks in three processes costs, beside a bare request
// between two of them: the leader is on one core, the others on another.

namespace {

using namespace turnstile;
using bench::per_answer;
using google::protobuf::BytesValue;

constexpr std::size_t ranks = 3;
constexpr int many = 512;

struct quiet_state {
  using branch_type = int;
  [[nodiscard]] result<branch_type> branch() const { return 0; }
  static status commit_branch(branch_type&&) { return {}; }
  static status apply(branch_type&, BytesValue&) { return {}; }
  [[nodiscard]] static bool permits_parallel_branches() { return true; }
};

struct quiet_program {
  using work_message = BytesValue;
  using outcome_message = BytesValue;
  using state_type = quiet_state;
  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

/// Answers nothing until it is asked to stop.
struct slow_backend {
  explicit slow_backend(backend_actor::pointer me) : self(me) {}

  backend_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute&) {
        owed.push_back(owed_answer<wire::Completed>{self});
        return owed.back().later();
      },
      [](const wire::CancelWork& which) { return quiet_about(which); },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
    };
  }

  backend_actor::pointer self;
  std::vector<owed_answer<wire::Completed>> owed;
};

rank_actor spawn_one(caf::actor_system& system, std::size_t rank) {
  rank_options options;
  options.group = {ranks, rank, 42, 1, std::chrono::seconds{30}};
  options.settings.limits.max_queued_work = 4096;
  options.settings.limits.max_in_flight_global = 4096;
  options.settings.limits.max_in_flight_per_request = 4096;
  options.backend = backend_actor{turnstile::spawn<slow_backend>(system)};
  return *spawn_rank<quiet_program>(system, options);
}

void follow(std::uint16_t port, std::uint64_t number) {
  bench::one_core_config config;
  caf::actor_system system{config};
  auto rank = spawn_one(system, number);
  auto meeting = connect<rank_meeting_actor>(system, "127.0.0.1", port);
  if (!meeting)
    std::_Exit(1);
  caf::scoped_actor self{system};
  (void)ask<void>(self, *meeting, join_atom_v, number, rank);
  pause();
}

const bench::peer_kind second{"rank_1",
                              [](std::uint16_t port) { follow(port, 1); }};
const bench::peer_kind third{"rank_2",
                             [](std::uint16_t port) { follow(port, 2); }};

wire::RankCommand command(command_kind kind, std::uint64_t request) {
  command_terms terms;
  terms.kind = kind;
  terms.request = {request};
  return to_wire(terms);
}

/// Commands that are said one after the other.
template <class Next>
auto saying(const rank_actor& to, Next next) {
  return [to, next](caf::event_based_actor* self, auto done) {
    mail(self, next())
      .request(to, caf::infinite)
      .then([done](const wire::CommandDone&) { done(); },
            [self](const caf::error& why) {
              std::printf("%s\n", render(self->system(), why).c_str());
              std::abort();
            });
  };
}

void line(const char* what, double ns, double of) {
  std::printf("  %-40s %8.1f us  %5.2f\n", what, ns / 1000, ns / of);
}

void run() {
  bench::pinned here{0};
  constexpr int turns = 5000;
  const auto bare = bench::bare_caf(turns).one;
  bench::one_core_config config;
  caf::actor_system system{config};
  auto rank = spawn_one(system, 0);
  auto meeting = turnstile::spawn<rank_meeting_state>(system, ranks);
  auto port = publish(system, meeting, 0);
  bench::peer one{second, *port};
  bench::peer two{third, *port};
  caf::scoped_actor self{system};
  (void)ask<void>(self, meeting, join_atom_v, std::uint64_t{0}, rank);

  // One after the other: a request begins, and is taken away again.
  auto number = std::make_shared<std::uint64_t>(0);
  auto begin_and_end = saying(rank, [number] {
    const auto turn = (*number)++;
    return command(turn % 2 == 0 ? command_kind::register_request
                                 : command_kind::release,
                   1000 + turn / 2);
  });
  per_answer(system, begin_and_end, 500, 1);
  const auto idle = per_answer(system, begin_and_end, turns, 1);
  (void)ask<wire::CommandDone>(self, rank,
                               command(command_kind::register_request, 1));
  auto enqueue = saying(rank, [] {
    auto what = command(command_kind::enqueue, 1);
    what.add_payloads("");
    what.set_works(1);
    return what;
  });
  per_answer(system, enqueue, 1, 1);
  const auto busy = per_answer(system, begin_and_end, turns, 1);
  const auto scheduling = per_answer(system, enqueue, many, 1);
  const auto crowded = per_answer(system, begin_and_end, turns, 1);
  std::printf(
    "  turn of three ranks                        time  of a request\n");
  line("bare CAF request between two processes", bare, bare);
  line("nothing in flight, nothing to schedule", idle, bare);
  line("a work in flight, nothing to schedule", busy, bare);
  line("one work to schedule, 1 to 512 in flight", scheduling, bare);
  line("512 in flight, nothing to schedule", crowded, bare);
  caf::anon_send_exit(rank, caf::exit_reason::kill);
  caf::anon_send_exit(meeting, caf::exit_reason::kill);
}

const bench::registered ranks_in_lockstep{"ranks", run};

} // namespace
