// Agent tasks from a program without actors: four at a time, results in the
// order of the tasks, and what the whole run has become.

#include "actors/agent/agent_scheduler.hpp"
#include "actors/agent/blocking_run.hpp"
#include "actors/backend/function_backend.hpp"

#include <cstdio>
#include <string>
#include <vector>

using namespace turnstile;

int main() {
  node_config<> config;
  caf::actor_system system{config};
  agent_scheduler_options options;
  options.concurrency = 4;
  options.backends.add(
    "length", spawn_function_backend<wire::AgentTask>(
                system, "length",
                [](const wire::AgentTask& task) -> result<wire::AgentOutcome> {
                  wire::AgentOutcome outcome;
                  auto& result = *outcome.mutable_result();
                  result.set_status(wire::AGENT_STATUS_OK);
                  result.set_output_json(std::to_string(task.prompt().size()));
                  return outcome;
                }));
  auto scheduler = spawn_agent_scheduler(system, options);

  blocking_run run{spawn_agent_run(system, *scheduler)};
  std::vector<wire::AgentTask> tasks(3);
  for (auto& task : tasks) {
    task.set_agent_id("agent " + std::to_string(&task - tasks.data()));
    task.set_prompt("as long as " + task.agent_id());
  }
  for (const auto& record : run.run_parallel(tasks))
    std::printf("%s\n", record ? record->result().output_json().c_str()
                               : to_string(record.error()).c_str());
  const auto ended = run.finish();
  return ended && ended->state().records_size() == 3 ? 0 : 1;
}
