#include "actors/backend/child_answer.hpp"

#include "actors/backend/answer_extras.hpp"
#include "actors/process/decode_output.hpp"
#include "actors/process/verdict.hpp"
#include "messages/json.hpp"
#include "messages/translate/backend_error.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace turnstile {

namespace {

// Never throws: what is not UTF-8 is replaced.
std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

std::string output_of(const wire::AgentTask& task, const process_exit& exit) {
  auto decoded = decode_output(exit.output, exit.output_cut());
  if (decoded.is_json)
    if (auto json = compact_json(decoded.text))
      return std::move(*json);
  if (!task.has_output_schema_json())
    return json_string(decoded.text);
  return R"({"_agent_fallback_text":true,"text":)" + json_string(decoded.text)
         + '}';
}

} // namespace

wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit) {
  wire::AgentOutcome outcome;
  if (auto error = verdict(exit)) {
    *outcome.mutable_error() = to_wire(*error);
    return outcome;
  }
  auto* result = outcome.mutable_result();
  result->set_agent_id(task.agent_id());
  result->set_status(wire::AGENT_STATUS_OK);
  result->set_output_json(take_extras(output_of(task, exit), *result));
  return outcome;
}

} // namespace turnstile
