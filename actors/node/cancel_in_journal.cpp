#include "actors/node/cancel_in_journal.hpp"

#include "actors/agent/agent_scheduler.hpp"
#include "actors/journal/ask_owner.hpp"
#include "actors/journal/open_journal.hpp"
#include "core/base/stable_hash.hpp"
#include "messages/translate.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

namespace turnstile::node {

namespace {

/// Takes the run up and cancels it before anything of it runs.
status cancel_here(const std::string& path, const request_head& run) {
  node_config<> settings;
  caf::actor_system system{settings};
  auto journal = open_journal(system, path);
  if (!journal)
    return fail(journal.error());
  agent_scheduler_options options;
  options.journal = *journal;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  status done;
  if (!scheduler) {
    done = fail(scheduler.error());
  } else {
    caf::scoped_actor self{system};
    auto failed = [&](const caf::error& why) {
      done = fail(to_failure(system, why));
    };
    wire::ResumeRequest order;
    order.mutable_request()->set_value(stable_hash(run.name));
    order.set_cancel_at_once(true);
    door_actor door;
    mail(self, open_atom_v, order)
      .request(*scheduler, caf::infinite)
      .receive([&](const door_actor& opened) { door = opened; }, failed);
    if (done)
      mail(self, wire::AwaitRequest{})
        .request(door, caf::infinite)
        .receive([](const wire::RequestEnded&) {}, failed);
    caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
  }
  caf::anon_send_exit(journal->journal, caf::exit_reason::user_shutdown);
  *journal = {}; // before the actor system goes, which waits for that
  return done;
}

} // namespace

status cancel_in_journal(const std::string& path, const request_head& run,
                         const std::string& agent) {
  wire::JournalCommand order;
  order.set_verb("cancel");
  order.set_run(run.name);
  order.set_task(agent);
  auto asked = ask_owner(path, order);
  if (!asked)
    return fail(asked.error());
  if (asked->has_value())
    return {};
  if (!agent.empty())
    return fail(errc::state, "no process runs " + run.name
                               + "; cancel the whole run, or a task of it "
                                 "while turnstile resume goes on with it");
  return cancel_here(path, run);
}

} // namespace turnstile::node
