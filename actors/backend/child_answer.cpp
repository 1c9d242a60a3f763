#include "actors/backend/child_answer.hpp"

#include "actors/backend/answer_extras.hpp"
#include "actors/process/decode_output.hpp"
#include "actors/process/raw_text.hpp"
#include "actors/process/verdict.hpp"
#include "messages/json.hpp"
#include "messages/translate/backend_error.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace turnstile {

namespace {

// Never throws: what is not UTF-8 is replaced.
std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

std::string output_of(const wire::AgentTask& task, decoded_output decoded) {
  if (decoded.is_json)
    if (auto json = compact_json(decoded.text))
      return std::move(*json);
  if (!task.has_output_schema_json())
    return json_string(decoded.text);
  return R"({"_agent_fallback_text":true,"text":)" + json_string(decoded.text)
         + '}';
}

// Enough to see what went wrong, little enough to keep for a million tasks.
constexpr auto max_tail = std::size_t{4096};

wire::LogRef log_of(const process_exit& exit) {
  wire::LogRef log;
  auto tail = std::string_view{exit.log};
  if (exit.log.size() < exit.log_bytes || tail.size() > max_tail)
    tail = without_cut_start(
      tail.substr(tail.size() - std::min(tail.size(), max_tail)));
  log.set_tail(mend(tail).text);
  log.set_bytes(exit.log_bytes);
  return log;
}

} // namespace

wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit) {
  wire::AgentOutcome outcome;
  if (auto error = verdict(exit)) {
    *outcome.mutable_error() = to_wire(*error);
    *outcome.mutable_logs() = log_of(exit);
    return outcome;
  }
  auto* result = outcome.mutable_result();
  result->set_agent_id(task.agent_id());
  result->set_status(wire::AGENT_STATUS_OK);
  auto decoded = decode_output(exit.output, exit.output_cut());
  result->set_output_cut_bytes(exit.output_bytes - exit.output.size());
  result->set_output_replaced_bytes(decoded.replaced);
  result->set_output_json(
    take_extras(output_of(task, std::move(decoded)), *result));
  *result->mutable_logs() = log_of(exit);
  return outcome;
}

} // namespace turnstile
