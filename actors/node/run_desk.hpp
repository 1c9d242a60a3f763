#pragma once

#include "actors/cluster/interfaces.hpp"
#include "actors/node/plan_run.hpp"

#include <caf/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace turnstile::node {

/// What a run desk is made of.
struct run_desk_options {
  scheduler_actor scheduler;

  /// Who knows which backends there are.
  worker_desk_actor workers;

  /// The scheduler's journal, if it has one.
  journal_link journal;

  /// Runs that go on; more are refused as `capacity`.
  std::size_t max_runs = 1024;

  /// Runs that have ended and can still be asked for; the oldest goes first.
  std::size_t max_ended_runs = 64;
};

/// The runs of a server's clients.
using run_desk_actor =
  typed_actor<caf::result<void>(join_atom, wire::Envelope, link_actor),
              caf::result<void>(wire::Envelope),
              caf::result<void>(leave_atom, wire::Envelope),
              caf::result<wire::NodeStatus>(wire::NodeQuery),
              /// From its runs: what has become of them.
              caf::result<void>(wire::RunNews),
              /// Takes a run of the journal up again: the message names it, and
              /// has its plan.
              caf::result<void>(wire::SubmitRun)>;

/// Runs what clients submit, and tells those who follow a run what becomes of
/// it. A run does not need its client: it goes on without one, and who submits
/// the same plan under the same identity finds it.
///
/// What a client is told at a time is bounded, and it gets no more before it
/// asks.
class run_desk_state {
public:
  static constexpr const char* name = "turnstile.run_desk";

  run_desk_state(run_desk_actor::pointer self, run_desk_options options);

  run_desk_actor::behavior_type make_behavior();

private:
  struct hosted {
    std::string digest; ///< Of its plan.
    std::shared_ptr<const config::plan> plan;
    plan_run_actor actor;
    std::vector<wire::TaskEnd> ends; ///< In the order in which they came.
    std::uint64_t running = 0;
    std::optional<wire::RunSummary> summary; ///< Once it has ended.

    /// Who waits for news: by link, how many ends it knows.
    std::unordered_map<std::uint64_t, std::uint64_t> followers;
  };

  void receive(const wire::Envelope& letter);
  void submit(std::uint64_t link, const wire::SubmitRun& order);

  /// Begins a run, or goes on with it.
  result<hosted*> begin(const wire::SubmitRun& order, bool resume);
  void accept(std::uint64_t link, const std::string& run_id, bool attached);
  void follow(std::uint64_t link, const wire::FollowRun& question);
  void stop(std::uint64_t link, const wire::StopRun& which);
  void note(const wire::RunNews& news);
  void tell(std::uint64_t link, const std::string& run_id, const hosted& run,
            std::uint64_t from);
  void refuse(std::uint64_t link, const std::string& run_id,
              const failure& why);
  void post(std::uint64_t link, wire::Envelope letter);
  void forget_old_runs();

  run_desk_actor::pointer self_;
  run_desk_options options_;
  std::unordered_map<std::uint64_t, link_actor> clients_;
  std::map<std::string, hosted> runs_;
  std::deque<std::string> ended_; ///< Their ends' order.
};

run_desk_actor spawn_run_desk(caf::actor_system& system,
                              run_desk_options options);

} // namespace turnstile::node
