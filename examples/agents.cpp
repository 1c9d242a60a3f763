// Agent tasks from inside an actor: a scheduler with a backend, a run, a task
// whose record comes to `.then`, one that is cancelled, and what the run's
// stream tells of both.

#include "actors/agent/agent_run.hpp"
#include "actors/agent/agent_scheduler.hpp"
#include "actors/backend/function_backend.hpp"
#include "actors/events/event_log.hpp"
#include "actors/events/follow_events.hpp"
#include "messages/event_json.hpp"

#include <cstdio>
#include <optional>
#include <string>

using namespace turnstile;

namespace {

result<wire::AgentOutcome> echo(const wire::AgentTask& task) {
  wire::AgentOutcome outcome;
  outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
  outcome.mutable_result()->set_output_json('"' + task.prompt() + ", done\"");
  return outcome;
}

wire::AgentTask task(const std::string& agent_id) {
  wire::AgentTask made;
  made.set_agent_id(agent_id);
  made.set_prompt("count the files");
  return made;
}

} // namespace

// [README
void client(caf::event_based_actor* self, agent_run_actor run) {
  auto shrug = [](const caf::error&) {};
  follow_events(
    self, run, {},
    [](const wire::Event& event) {
      std::printf("%s\n", event_json(event).c_str());
    },
    [](const std::optional<failure>&) {}); // when the run has ended
  wire::CancelAgent second;
  second.set_agent_id("b");
  mail(self, second) // before it comes: it will be refused
    .request(run, caf::infinite)
    .then([](const wire::TaskAnswer&) {}, shrug);
  mail(self, task("b"))
    .request(run, caf::infinite)
    .then([](const wire::TaskRecord&) {},
          [self](const caf::error& why) {
            std::printf("b: %s\n", render(self->system(), why).c_str());
          });
  mail(self, task("a"))
    .request(run, caf::infinite)
    .then([=](const wire::TaskRecord& record) {
      std::printf("a: %s\n", record.result().output_json().c_str());
      mail(self, wire::FinishRun{})
        .request(run, caf::infinite)
        .then([](const wire::RunEnded&) {}, shrug);
    });
}
// README]

int main() {
  node_config<> config;
  caf::actor_system system{config};
  agent_scheduler_options options;
  options.events = spawn_event_log(system);
  options.backends.add(
    "echo", spawn_function_backend<wire::AgentTask>(system, "echo", echo));
  auto scheduler = spawn_agent_scheduler(system, options);
  if (!scheduler)
    return 1;
  agent_run_options terms;
  terms.events = options.events;
  system.spawn(client, spawn_agent_run(system, *scheduler, terms));
}
