#include "actors/agent/agent_events.hpp"

#include "core/base/utf8.hpp"

#include <cstddef>
#include <string_view>

namespace turnstile {

namespace {

constexpr std::size_t preview_characters = 60;

/// The first characters of a text. @pre it is UTF-8, as all of a message is
std::string preview(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t n = 0; n < preview_characters && end < text.size(); ++n)
    end += utf8_length(text.substr(end));
  return std::string{text.substr(0, end)};
}

/// Says which task an event is about.
template <class Event>
void describe(const wire::AgentTask& task, Event& event) {
  event.set_agent_id(task.agent_id());
  event.set_phase_id(task.phase_id());
  event.set_agent_seq(task.agent_seq());
  if (task.has_name())
    event.set_name(task.name());
}

} // namespace

wire::RunStatus run_status(request_status how) {
  switch (how) {
  case request_status::finished:
    return wire::RUN_STATUS_COMPLETED;
  case request_status::cancelled:
    return wire::RUN_STATUS_CANCELLED;
  default:
    return wire::RUN_STATUS_FAILED;
  }
}

std::string run_word(wire::RunStatus status) {
  switch (status) {
  case wire::RUN_STATUS_COMPLETED:
    return "completed";
  case wire::RUN_STATUS_CANCELLED:
    return "cancelled";
  case wire::RUN_STATUS_PARTIAL:
    return "partial";
  default:
    return "failed";
  }
}

void call_by(const wire::RunVerdict& verdict, wire::RunDone& done) {
  if (done.status() == wire::RUN_STATUS_COMPLETED)
    done.set_status(verdict.status());
  if (!verdict.report_json().empty())
    done.set_report_json(verdict.report_json());
}

wire::Event run_started(const wire::RunTerms& terms) {
  wire::Event event;
  event.mutable_run_started()->set_task(terms.name());
  return event;
}

wire::Event run_done(request_status how, const wire::TokenUsage& tokens) {
  wire::Event event;
  auto& done = *event.mutable_run_done();
  done.set_status(run_status(how));
  *done.mutable_total_tokens() = tokens;
  return event;
}

wire::Event agent_started(const wire::AgentTask& task) {
  wire::Event event;
  auto& started = *event.mutable_agent_started();
  describe(task, started);
  started.set_prompt_preview(preview(task.prompt()));
  if (task.has_model())
    started.set_model(task.model());
  if (task.has_description())
    started.set_description(task.description());
  if (task.has_role())
    started.set_role(task.role());
  return event;
}

wire::Event agent_done(const wire::AgentTask& task,
                       const wire::TaskRecord& record) {
  wire::Event event;
  auto& done = *event.mutable_agent_done();
  describe(task, done);
  done.set_status(record.result().status());
  *done.mutable_tokens() = record.tokens();
  done.set_elapsed_ms(
    static_cast<std::uint64_t>(record.elapsed_ns() / 1'000'000));
  done.set_output_json(record.result().output_json());
  *done.mutable_findings() = record.result().findings();
  done.set_prompt(task.prompt());
  done.set_retry_count(record.retries());
  done.set_backend(record.backend());
  done.set_attempts(record.attempts());
  done.set_schema_retries(record.schema_retries());
  if (record.has_failure())
    *done.mutable_failure() = record.failure();
  return event;
}

wire::Event schema_retry(const wire::AgentTask& task, std::uint32_t attempt,
                         std::uint32_t max) {
  wire::Event event;
  auto& retry = *event.mutable_schema_retry();
  retry.set_agent_id(task.agent_id());
  retry.set_attempt(attempt);
  retry.set_max(max);
  return event;
}

wire::Event task_refused(const wire::AgentTask& task, const failure& why) {
  wire::Event event;
  auto& refused = *event.mutable_task_refused();
  refused.set_agent_id(task.agent_id());
  refused.set_code(std::string{to_string(why.code)});
  refused.set_reason(why.detail);
  return event;
}

std::optional<wire::Event> agent_news(const wire::AgentTask& task,
                                      const std::string& detail) {
  wire::Event event;
  if (!event.ParseFromString(detail))
    return std::nullopt;
  switch (event.kind_case()) {
  case wire::Event::kAgentProgress:
    event.mutable_agent_progress()->set_agent_id(task.agent_id());
    return event;
  case wire::Event::kAcpRaw:
    event.mutable_acp_raw()->set_agent_id(task.agent_id());
    return event;
  case wire::Event::kAcpRequest:
    event.mutable_acp_request()->set_agent_id(task.agent_id());
    return event;
  case wire::Event::kLog:
    event.mutable_log()->set_agent_id(task.agent_id());
    return event;
  default:
    return std::nullopt;
  }
}

} // namespace turnstile
