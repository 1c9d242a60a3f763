#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "config/plan/plan.hpp"
#include "messages/agent.pb.h"
#include "messages/run.pb.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::node {

/// How a task of a plan ended.
enum class task_status {
  waiting,
  running,
  ok,
  error,
  cancelled,
  timed_out,
  skipped
};

/// Returns the word of the program's JSON: `"timed_out"`.
const char* to_string(task_status status) noexcept;

/// One task of a run, in plan order.
struct task_result {
  std::string name;
  task_status status = task_status::waiting;
  std::optional<failure> why; ///< If it is not ok.
  wire::TaskRecord record;    ///< As far as it ran.
};

/// How far a run is.
struct run_progress {
  std::size_t tasks = 0;
  std::size_t running = 0; ///< Accepted by the scheduler and not ended.
  std::size_t ended = 0;
  std::size_t failed = 0; ///< Ended otherwise than ok.
};

/// All that became of a run.
struct run_result {
  std::string run_id;
  std::string name;
  bool cancelled = false;
  bool suspended = false; ///< It was stopped on the way, and can be resumed.
  std::optional<failure> lost; ///< Why its scheduler could not go on.
  std::vector<task_result> tasks;
  wire::TokenUsage tokens;
  std::size_t quota_used = 0;
  wire::Report report;
  duration elapsed{};
};

/// Says how a run ended: `"completed"`, `"failed"`, `"cancelled"`, or
/// `"interrupted"` if it has not.
const char* status_word(const run_result& run) noexcept;

/// Why a task is not ok, by its record; nothing: it is.
std::optional<failure> failure_of(const wire::TaskRecord& record);

/// Why a task was not run that needs this one, which did not end ok.
failure not_run_without(const task_result& need);

/// Why a task did not end whose run was cancelled.
failure run_cancelled();

/// Whom a run tells about itself, on the actor's thread.
struct run_listener {
  std::function<void(const run_progress&, const task_result&)> on_task_ended;
  std::function<void(run_result)> on_end;
};

/// Runs one plan: submits each task when what it needs has ended, and tells
/// how all ended. It has no queue and no slots: whatever may run is with the
/// scheduler.
using plan_run_actor = typed_actor<
  /// Begins.
  caf::result<void>(run_atom),
  /// Cancels the run; what has not ended is cancelled.
  caf::result<void>(wire::CancelRequest),
  /// Stops the scheduler, and leaves in its journal what has not ended.
  caf::result<void>(suspend_atom)>;

/// Which run of a plan it is.
struct plan_run_options {
  /// Its identity; empty: it gets a new one.
  std::string run_id;

  /// The scheduler's journal, if it has one.
  journal_link journal;

  /// Whether the journal has the run already, which shall go on.
  bool resume = false;
};

/// @pre `plan` outlives the actor
plan_run_actor spawn_plan_run(caf::actor_system& system,
                              const config::plan& plan,
                              scheduler_actor scheduler, run_listener listener,
                              plan_run_options options = {});

} // namespace turnstile::node
