#include "actors/agent/blocking_run.hpp"

#include <utility>

namespace turnstile {

blocking_run::blocking_run(agent_run_actor run)
  : run_(std::move(run)), self_(run_.home_system()) {}

result<wire::TaskRecord> blocking_run::run(const wire::AgentTask& task) {
  return ask<wire::TaskRecord>(self_, run_, task);
}

std::vector<result<wire::TaskRecord>>
blocking_run::run_parallel(const std::vector<wire::AgentTask>& tasks) {
  wire::AgentTasks all;
  for (const auto& task : tasks)
    *all.add_tasks() = task;
  std::vector<result<wire::TaskRecord>> results;
  auto answers = ask<wire::TaskAnswers>(self_, run_, std::move(all));
  if (!answers) {
    for (std::size_t i = 0; i < tasks.size(); ++i)
      results.emplace_back(fail(answers.error()));
    return results;
  }
  for (auto& answer : *answers->mutable_answers())
    results.push_back(record_or_refusal(std::move(answer)));
  return results;
}

status blocking_run::cancel(const std::string& agent_id) {
  wire::CancelAgent which;
  which.set_agent_id(agent_id);
  auto answer = ask<wire::TaskAnswer>(self_, run_, std::move(which));
  if (!answer)
    return fail(std::move(answer.error()));
  return {};
}

result<wire::EventBatch> blocking_run::events(std::uint64_t from) {
  wire::EventsQuery query;
  query.set_from(from);
  query.set_wait(true);
  return ask<wire::EventBatch>(self_, run_, std::move(query));
}

result<wire::RunEnded> blocking_run::finish(const wire::FinishRun& how) {
  return ask<wire::RunEnded>(self_, run_, how);
}

result<wire::RunEnded> blocking_run::cancel_all() {
  return ask<wire::RunEnded>(self_, run_, wire::CancelRun{});
}

} // namespace turnstile
