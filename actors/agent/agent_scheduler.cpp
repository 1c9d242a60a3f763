#include "actors/agent/agent_scheduler.hpp"

#include "actors/agent/agent_program.hpp"
#include "actors/scheduler/scheduler_state.hpp"

#include <utility>

namespace turnstile {

scheduler_settings settings_for(const agent_scheduler_options& options) {
  scheduler_settings settings;
  settings.limits.max_active_requests = options.max_runs;
  settings.limits.max_queued_work = options.max_tasks;
  settings.limits.max_in_flight_global = options.concurrency;
  settings.limits.max_in_flight_per_request = options.concurrency;
  settings.limits.max_new_submissions_per_turn = options.concurrency;
  settings.reclaim_after = options.reclaim_after;
  return settings;
}

result<scheduler_actor> spawn_agent_scheduler(caf::actor_system& system,
                                              agent_scheduler_options options) {
  if (options.concurrency == 0)
    return fail(errc::invalid_limits,
                "concurrency must be positive; with 0 every task would wait "
                "for ever");
  scheduler_options hosted;
  hosted.settings = settings_for(options);
  hosted.backends = std::move(options.backends);
  hosted.journal = std::move(options.journal);
  hosted.deadlines = {deadline_policy::scope::work,
                      deadline_policy::until::commit};
  return spawn_scheduler(system, std::move(hosted),
                         agent_program{std::move(options.events)});
}

} // namespace turnstile
