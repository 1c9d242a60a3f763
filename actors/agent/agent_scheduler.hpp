#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/work/settings.hpp"
#include "messages/run.pb.h"

#include <caf/fwd.hpp>

#include <cstdint>
#include <optional>

namespace turnstile {

/// What an agent scheduler is made of.
struct agent_scheduler_options {
  /// How many attempts may run at the same time, over all runs. Zero is
  /// refused.
  std::uint64_t concurrency = 1;

  /// Tasks of all runs that may be accepted and not ended.
  std::uint64_t max_tasks = 1'000'000;

  /// Runs that may be active.
  std::uint64_t max_runs = 1024;

  /// How long a task that was cancelled or is too late may keep its slot,
  /// because its backend does not say that it has ended (decision A3). Then the
  /// slot is taken back and the task told as ended. Nothing: it waits for ever.
  std::optional<duration> reclaim_after;

  backend_set backends;

  /// Where the events of runs go; nothing: nowhere. May serve several
  /// schedulers. With a journal they go there first, and `events` is told by
  /// it (`event_log_options::journal`).
  event_log_actor events;

  /// Where runs are kept, so that they can be taken up again by another process
  /// (`ResumeRequest`). By default nowhere.
  journal_link journal;
};

/// Spawns a scheduler of agent tasks. Open a door per run with a
/// `RegisterRequest` whose state is a serialised `wire::RunTerms`; submit
/// serialised `wire::AgentTask`s to it. The outcome of a committed task is its
/// serialised `wire::TaskRecord`, whether it succeeded or not.
result<scheduler_actor> spawn_agent_scheduler(caf::actor_system& system,
                                              agent_scheduler_options options);

/// How options become the core's settings.
scheduler_settings settings_for(const agent_scheduler_options& options);

} // namespace turnstile
