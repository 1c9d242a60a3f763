// Three processes that run one schedule in lockstep. Start them by hand, in
// three terminals and in any order within ten seconds:
//
//     example_lockstep_three_ranks 0 5310
//     example_lockstep_three_ranks 1 5310
//     example_lockstep_three_ranks 2 5310
//
// Rank 0 leads: it is where the others meet, at that port of this machine. Here
// it also gives the commands, which any rank could. Each rank has a backend and
// a sum of its own, and all come to the same one. Without arguments the program
// starts ranks 1 and 2 by itself.

#include "actors/backend/function_backend.hpp"
#include "actors/caf/network.hpp"
#include "actors/rank/rank_meeting.hpp"
#include "actors/rank/rank_state.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

extern char** environ;

using namespace turnstile;
using google::protobuf::Int64Value;

namespace {

constexpr std::size_t ranks = 3;
constexpr std::uint64_t request = 7;

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
  Int64Value outcome;
  outcome.set_value(2 * work.value());
  return outcome;
}

rank_actor spawn_this_rank(caf::actor_system& system, std::size_t rank) {
  rank_options options;
  options.group = {ranks, rank, 42, 1, std::chrono::seconds{5}};
  options.backend =
    spawn_function_backend<Int64Value>(system, "doubling", twice);
  return *spawn_rank<sum_program>(system, options);
}

wire::RankCommand command(command_kind kind) {
  command_terms terms;
  terms.kind = kind;
  terms.request = {request};
  return to_wire(terms);
}

/// Gives the commands and waits for what they do. @returns the sum
result<std::string> lead(caf::scoped_actor& self, const rank_actor& rank) {
  auto tell = [&](const wire::RankCommand& what) {
    return ask<wire::CommandDone>(self, rank, what);
  };
  if (auto began = tell(command(command_kind::register_request)); !began)
    return fail(began.error());
  auto works = command(command_kind::enqueue);
  for (auto amount : {20, 1}) {
    Int64Value work;
    work.set_value(amount);
    works.add_payloads(work.SerializeAsString());
  }
  works.set_works(2);
  auto accepted = tell(works);
  if (!accepted)
    return fail(accepted.error());
  for (const auto& id : accepted->accepted()) {
    wire::AwaitWork which;
    *which.mutable_work_id() = id;
    if (auto ended = ask<wire::WorkEnded>(self, rank, which); !ended)
      return fail(ended.error());
  }
  auto released = tell(command(command_kind::release));
  if (!released)
    return fail(released.error());
  return released->state();
}

int run_leader(caf::actor_system& system, const rank_actor& rank,
               std::uint16_t port, bool alone) {
  auto meeting = spawn<rank_meeting_state>(system, ranks);
  auto open = publish(system, meeting, port);
  if (!open)
    return std::fprintf(stderr, "%s\n", to_string(open.error()).c_str()), 1;
  std::vector<pid_t> children;
  for (std::size_t other = 1; alone && other < ranks; ++other) {
    auto number = std::to_string(other);
    auto where = std::to_string(*open);
    std::array<char*, 4> words{const_cast<char*>("lockstep_three_ranks"),
                               number.data(), where.data(), nullptr};
    posix_spawn(&children.emplace_back(), "/proc/self/exe", nullptr, nullptr,
                words.data(), environ);
  }
  caf::scoped_actor self{system};
  auto met = ask<void>(self, meeting, join_atom_v, std::uint64_t{0}, rank);
  auto sum = met ? lead(self, rank) : fail(met.error());
  std::printf("rank 0: the sum is %s\n",
              sum ? sum->c_str() : to_string(sum.error()).c_str());
  self->send_exit(rank, caf::exit_reason::user_shutdown); // the others see it
  self->send_exit(meeting, caf::exit_reason::user_shutdown);
  bool all_agree = sum && *sum == "42";
  for (auto child : children) {
    int how = 1;
    waitpid(child, &how, 0);
    all_agree = all_agree && how == 0;
  }
  return all_agree ? 0 : 1;
}

/// Takes part until the leader goes.
int run_follower(caf::actor_system& system, const rank_actor& rank,
                 std::uint64_t number, std::uint16_t port) {
  using namespace std::chrono_literals;
  result<rank_meeting_actor> meeting = fail(errc::backend_lost, "not tried");
  for (int tries = 0; tries < 100 && !meeting; ++tries) {
    meeting = connect<rank_meeting_actor>(system, "127.0.0.1", port);
    if (!meeting)
      std::this_thread::sleep_for(100ms);
  }
  if (!meeting)
    return std::fprintf(stderr, "%s\n", to_string(meeting.error()).c_str()), 1;
  caf::scoped_actor self{system};
  if (auto met = ask<void>(self, *meeting, join_atom_v, number, rank); !met)
    return std::fprintf(stderr, "%s\n", to_string(met.error()).c_str()), 1;
  while (!ask<wire::GroupState>(self, rank, wire::GroupQuery{})->has_frozen())
    std::this_thread::sleep_for(20ms);
  auto report = ask<wire::Report>(self, rank, wire::ReportQuery{});
  std::printf("rank %d: committed %d works\n", int(number),
              int(report->completed_work()));
  self->send_exit(rank, caf::exit_reason::user_shutdown);
  return report->completed_work() == 2 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const auto alone = argc < 3;
  const auto number = alone ? 0 : std::strtoul(argv[1], nullptr, 10);
  const auto port =
    static_cast<std::uint16_t>(alone ? 0 : std::strtoul(argv[2], nullptr, 10));
  if (number >= ranks)
    return std::fprintf(stderr, "there are ranks 0, 1 and 2\n"), 2;
  node_config<> config;
  config.use_network();
  caf::actor_system system{config};
  const auto rank = spawn_this_rank(system, number);
  return number == 0 ? run_leader(system, rank, port, alone)
                     : run_follower(system, rank, number, port);
}
