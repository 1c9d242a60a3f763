// A scheduler in one process, and the backend that works for it in another.
// Start them by hand, in two terminals and in any order:
//
//     example_two_nodes serve 5311
//     example_two_nodes work 5311
//
// Kill the worker while it works and start it again: what it had is lost with
// it and fails here, since this program tries nothing twice; works that come
// meanwhile wait for it. Without arguments the program starts the worker by
// itself.

#include "actors/backend/function_backend.hpp"
#include "actors/caf/network.hpp"
#include "actors/cluster/server.hpp"
#include "actors/cluster/worker.hpp"
#include "actors/scheduler/scheduler_state.hpp"
#include "messages/orders.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

using namespace turnstile;
using google::protobuf::Int64Value;

namespace {

struct sum_state {
  using branch_type = std::int64_t;
  [[nodiscard]] result<branch_type> branch() const { return sum; }
  status commit_branch(branch_type&& branch) { return sum = branch, status{}; }
  static status apply(branch_type& branch, Int64Value& outcome) {
    return branch += outcome.value(), status{};
  }
  [[nodiscard]] result<std::string> encode() const {
    return std::to_string(sum);
  }
  std::int64_t sum = 0;
};

struct sum_program {
  using work_message = Int64Value;
  using outcome_message = Int64Value;
  using state_type = sum_state;
  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

result<Int64Value> twice(const Int64Value& work) {
  std::printf("worker: %d\n", static_cast<int>(work.value()));
  Int64Value outcome;
  outcome.set_value(2 * work.value());
  return outcome;
}

/// Starts this program again, as a worker.
pid_t start_worker(std::uint16_t port) {
  auto where = std::to_string(port);
  std::array<char*, 4> words{const_cast<char*>("two_nodes"),
                             const_cast<char*>("work"), where.data(), nullptr};
  pid_t child = 0;
  posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, words.data(),
              environ);
  return child;
}

/// Adds up what the worker makes of two numbers.
std::string add(caf::scoped_actor& self, const scheduler_actor& scheduler) {
  auto door =
    ask<door_actor>(self, scheduler, open_atom_v, registration(request_id{7}));
  for (auto amount : {20, 1}) {
    Int64Value work;
    work.set_value(amount);
    auto ended = ask<wire::WorkEnded>(self, *door, run_atom_v, order(work));
    if (!ended)
      return to_string(ended.error());
  }
  auto end = ask<wire::RequestEnded>(self, *door, wire::FinishRequest{});
  return end ? end->state() : to_string(end.error());
}

int serve(caf::actor_system& system, std::uint16_t port, bool alone) {
  auto scheduler = spawn_scheduler<sum_program>(system, scheduler_options{});
  front_desk_options options;
  options.name = "two nodes";
  options.incarnation = static_cast<std::uint64_t>(getpid());
  auto server = spawn_server(system, *scheduler, options);
  auto open = publish(system, node_actor{server->front}, port);
  if (!open)
    return std::fprintf(stderr, "%s\n", to_string(open.error()).c_str()), 1;
  const auto worker = alone ? start_worker(*open) : 0;
  caf::scoped_actor self{system};
  // Works shall wait for the worker, should it come later than they do.
  wire::RunAccepted expected;
  expected.add_lacking("doubling");
  (void)ask<wire::RunAccepted>(self, server->workers, expected);
  const auto sum = add(self, *scheduler);
  std::printf("server: the sum is %s\n", sum.c_str());
  (void)ask<void>(self, server->front, drain_atom_v);
  self->send_exit(server->workers, caf::exit_reason::user_shutdown);
  self->send_exit(*scheduler, caf::exit_reason::user_shutdown);
  if (alone) {
    kill(worker, SIGTERM);
    waitpid(worker, nullptr, 0);
  }
  return sum == "42" ? 0 : 1;
}

int work(caf::actor_system& system, std::uint16_t port) {
  worker_options options;
  options.name = "the worker";
  options.incarnation = static_cast<std::uint64_t>(getpid());
  options.uplink.seed = options.incarnation;
  options.backends.add(
    "doubling", spawn_function_backend<Int64Value>(system, "doubling", twice),
    gate_policy{1});
  options.find = over_network("127.0.0.1", port);
  auto worker = spawn_worker(system, options);
  pause(); // until it is killed
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  const auto alone = argc < 3;
  const std::string_view role = alone ? "serve" : argv[1];
  const auto port =
    static_cast<std::uint16_t>(alone ? 0 : std::strtoul(argv[2], nullptr, 10));
  node_config<> config;
  config.use_network();
  caf::actor_system system{config};
  return role == "work" ? work(system, port) : serve(system, port, alone);
}
