#pragma once

#include "actors/agent/agent_run.hpp"
#include "actors/caf/ask.hpp"
#include "core/base/result.hpp"
#include "messages/run.pb.h"

#include <string>
#include <vector>

namespace turnstile {

/// A run for programs that are not actors: every call waits for its answer.
/// Not for use inside an actor, whose thread it would hold up. One thread at a
/// time; for several, make several of the same `handle()`.
///
///     blocking_run run{spawn_agent_run(system, scheduler)};
///     auto record = run.run(task);      // result<wire::TaskRecord>
class blocking_run {
public:
  explicit blocking_run(agent_run_actor run);

  /// Runs one task. A task that fails has a record all the same; what was
  /// refused is an error.
  result<wire::TaskRecord> run(const wire::AgentTask& task);

  /// Runs several at the same time. The results are in the order of the tasks.
  std::vector<result<wire::TaskRecord>>
  run_parallel(const std::vector<wire::AgentTask>& tasks);

  /// Cancels a task and waits until nothing of it runs any more.
  status cancel(const std::string& agent_id);

  /// Returns the events from the number `from` on, waiting for one if there
  /// are none yet and some may come.
  result<wire::EventBatch> events(std::uint64_t from);

  /// Ends the run. What it has become is the answer.
  result<wire::RunEnded> finish(const wire::FinishRun& how = {});

  /// Cancels whatever still runs, and ends the run.
  result<wire::RunEnded> cancel_all();

  [[nodiscard]] const agent_run_actor& handle() const { return run_; }

private:
  agent_run_actor run_;
  caf::scoped_actor self_;
};

} // namespace turnstile
