#include "actors/agent/agent_scheduler.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/log_target.hpp"
#include "actors/node/plan_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/print.hpp"
#include "actors/node/progress_display.hpp"
#include "actors/node/run_flags.hpp"
#include "actors/node/run_json.hpp"
#include "actors/node/run_summary.hpp"
#include "actors/node/signals.hpp"
#include "config/plan/load.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <unistd.h>
#include <utility>

namespace turnstile::node {

namespace {

/// How long an interrupt may take: the children have the grace to end, and are
/// killed then. A process that waits for a device can survive even that.
duration patience_after(duration grace) {
  constexpr auto to_die = std::chrono::seconds{2};
  return grace < duration::max() - to_die ? grace + to_die : grace;
}

} // namespace

int run_plan(const run_flags& flags) {
  auto plan = config::load_plan(flags.plan);
  if (!plan)
    return complain(plan.error());
  progress_display display{flags.quiet};
  if (auto opened = send_log(flags.log, display.live()); !opened)
    return complain(opened.error());
  if (!flags.journal.empty() && !flags.quiet)
    say("--journal: nothing is kept yet; this run cannot be resumed");
  block_interrupts(); // before there are threads
  node_config<> settings;
  caf::actor_system system{settings};
  auto host = std::make_shared<process_host>();
  agent_scheduler_options options;
  options.concurrency = flags.concurrency.value_or(plan->concurrency);
  options.backends = spawn_backends(system, *plan, host, flags.grace);
  auto backends = options.backends;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  if (!scheduler)
    return complain(scheduler.error());
  std::promise<run_result> promised;
  auto ended = promised.get_future();
  auto run = spawn_plan_run(
    system, *plan, *scheduler,
    {[&](const run_progress& progress, const task_result& task) {
       display.task_ended(progress, task);
     },
     [&](run_result result) { promised.set_value(std::move(result)); }});
  std::atomic<bool> interrupted = false;
  run_result result;
  {
    // Nobody waits any longer: the children are killed with their backends.
    auto stop_at_once = [&] {
      for (const auto& [name, backend] : backends.by_name)
        caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
    };
    interrupts watching{
      {[&](int count) {
         interrupted = true;
         anon_mail(wire::CancelRequest{}).send(run);
         if (count > 1)
           stop_at_once();
       },
       patience_after(flags.grace),
       [&] {
         say("a child cannot be ended; nobody waits for it any longer");
         stop_at_once();
       }}};
    display.begin(plan->tasks.size());
    anon_mail(run_atom_v).send(run);
    result = ended.get();
  }
  display.end();
  const auto printed =
    print(flags.json ? to_json(result)
                     : to_text(result, *plan, look_of(STDOUT_FILENO)));
  caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
  for (const auto& [name, backend] : backends.by_name)
    caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
  const auto code = exit_code(result, interrupted);
  return code == exit_ok && !printed ? exit_tasks_failed : code;
}

} // namespace turnstile::node
