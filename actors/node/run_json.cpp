#include "actors/node/run_json.hpp"

#include "actors/node/json_text.hpp"
#include "messages/json.hpp"

#include <utility>

namespace turnstile::node {

namespace {

json tokens_of(const wire::TokenUsage& tokens) {
  return {{"input", tokens.input()},
          {"output", tokens.output()},
          {"cache_read", tokens.cache_read()},
          {"cache_write", tokens.cache_write()}};
}

json findings_of(const wire::AgentResult& result) {
  auto all = json::array();
  for (const auto& finding : result.findings())
    all.push_back(read_json(turnstile::to_json(finding)));
  return all;
}

json artifacts_of(const wire::AgentResult& result) {
  auto all = json::array();
  for (const auto& artifact : result.artifacts())
    all.push_back(read_json(turnstile::to_json(artifact)));
  return all;
}

json task_object(const task_result& task) {
  const auto& record = task.record;
  const auto& result = record.result();
  json error = nullptr;
  if (task.why)
    error = {{"code", std::string{to_string(task.why->code)}},
             {"text", task.why->detail}};
  return {{"name", task.name},
          {"status", to_string(task.status)},
          {"output", read_json(result.output_json())},
          {"error", std::move(error)},
          {"attempts", record.attempts()},
          {"retries", record.retries()},
          {"schema_retries", record.schema_retries()},
          {"tokens", tokens_of(record.tokens())},
          {"elapsed_ms", record.elapsed_ns() / 1'000'000},
          {"backend", record.backend()},
          {"findings", findings_of(result)},
          {"artifacts", artifacts_of(result)},
          {"output_cut_bytes", result.output_cut_bytes()},
          {"output_replaced_bytes", result.output_replaced_bytes()},
          {"log",
           {{"path", result.logs().path()},
            {"tail", result.logs().tail()},
            {"bytes", result.logs().bytes()}}},
          {"thread",
           result.has_thread_id() ? json(result.thread_id()) : json(nullptr)},
          {"remembered_of", record.remembered_of().empty()
                              ? json(nullptr)
                              : json(record.remembered_of())}};
}

} // namespace

std::string to_json(const run_result& run) {
  auto tasks = json::array();
  for (const auto& task : run.tasks)
    tasks.push_back(task_object(task));
  json whole = {{"run", run.run_id},
                {"status", status_word(run)},
                {"tasks", std::move(tasks)},
                {"tokens", tokens_of(run.tokens)},
                {"quota_used", run.quota_used},
                {"elapsed_ms", run.elapsed.count() / 1'000'000},
                {"report", read_json(turnstile::to_json(run.report))}};
  return write_json(whole, 2) + "\n";
}

} // namespace turnstile::node
