#include "actors/agent/agent_scheduler.hpp"
#include "actors/agent/uuid.hpp"
#include "actors/journal/open_journal.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/log_target.hpp"
#include "actors/node/node_flags.hpp"
#include "actors/node/past_run.hpp"
#include "actors/node/plan_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/print.hpp"
#include "actors/node/progress_display.hpp"
#include "actors/node/run_flags.hpp"
#include "actors/node/run_show.hpp"
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

/// Runs `plan`, a new one or one that the journal has, until it ends or is
/// interrupted.
int run(const config::plan& plan, const run_flags& flags,
        plan_run_options which, progress_display& display) {
  block_interrupts(); // before there are threads
  node_config<> settings;
  caf::actor_system system{settings};
  auto host = std::make_shared<process_host>();
  if (!flags.no_journal) {
    auto journal = open_journal(system, flags.journal);
    if (!journal) {
      auto why = journal.error();
      why.detail += "\n--journal FILE names another journal";
      if (!which.resume)
        why.detail += ", --no-journal runs without one";
      return complain(why);
    }
    which.journal = std::move(*journal);
  }
  agent_scheduler_options options;
  options.concurrency = plan.concurrency;
  options.backends = spawn_backends(system, plan.backends, host, flags.grace);
  options.journal = which.journal;
  auto backends = options.backends;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  if (!scheduler)
    return complain(scheduler.error());
  std::promise<run_result> promised;
  auto ended = promised.get_future();
  auto running = spawn_plan_run(
    system, plan, *scheduler,
    {[&](const run_progress& progress, const task_result& task) {
       display.task_ended(progress, task);
     },
     [&](run_result result) { promised.set_value(std::move(result)); }},
    which);
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
         if (flags.no_journal)
           anon_mail(wire::CancelRequest{}).send(running);
         else
           anon_mail(suspend_atom_v).send(running);
         if (count > 1)
           stop_at_once();
       },
       patience_after(flags.grace),
       [&] {
         say("a child cannot be ended; nobody waits for it any longer");
         stop_at_once();
       }}};
    display.begin(plan.tasks.size());
    anon_mail(run_atom_v).send(running);
    result = ended.get();
  }
  display.end();
  caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
  for (const auto& [name, backend] : backends.by_name)
    caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
  if (which.journal.journal)
    caf::anon_send_exit(which.journal.journal, caf::exit_reason::user_shutdown);
  which = {}; // before the actor system goes, which waits for that
  if (result.lost)
    complain(*result.lost);
  const auto code = show(result, plan, flags.json, interrupted);
  if (result.suspended && !flags.quiet)
    say("interrupted; turnstile resume " + result.run_id
        + (flags.journal == usual_journal ? "" : " --journal " + flags.journal)
        + " goes on with it");
  return code;
}

} // namespace

int run_plan(const run_flags& flags) {
  if (!flags.connect.empty())
    return run_connected(flags);
  auto plan = config::load_plan(flags.plan);
  if (!plan)
    return complain(plan.error());
  progress_display display{flags.quiet};
  if (auto opened = send_log(flags.log, display.live()); !opened)
    return complain(opened.error());
  plan->concurrency = flags.concurrency.value_or(plan->concurrency);
  return run(*plan, flags, {make_uuid(), {}, false}, display);
}

int resume_run(const run_flags& flags) {
  progress_display display{flags.quiet};
  if (auto opened = send_log(flags.log, display.live()); !opened)
    return complain(opened.error());
  auto journal = journal_view::open(flags.journal);
  if (!journal)
    return complain(journal.error());
  auto head = find_run(*journal, flags.run, true);
  if (!head)
    return complain(head.error());
  auto past = read_past_run(*journal, *head);
  if (!past)
    return complain(past.error());
  if (head->closed_at) {
    auto result = read_result(*journal, *past);
    if (!result)
      return complain(result.error());
    if (!flags.quiet)
      say("run " + head->name + " has ended already: " + head->word);
    return show(*result, past->plan, flags.json, false);
  }
  past->plan.concurrency = flags.concurrency.value_or(past->plan.concurrency);
  return run(past->plan, flags, {head->name, {}, true}, display);
}

} // namespace turnstile::node
