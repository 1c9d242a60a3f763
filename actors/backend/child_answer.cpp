#include "actors/backend/child_answer.hpp"

#include "actors/process/decode_output.hpp"
#include "actors/process/verdict.hpp"
#include "messages/translate.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace turnstile {

namespace {

/// Writes `value` as compact JSON. What is not UTF-8 is mended, never thrown.
std::string compact(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string output_json(const wire::AgentTask& task, const process_exit& exit) {
  const auto decoded = decode_output(exit.output, exit.output_cut());
  if (decoded.is_json) {
    // Keeps the order of keys, as the child wrote them.
    auto value = nlohmann::ordered_json::parse(decoded.text, nullptr, false);
    if (!value.is_discarded())
      return value.dump(-1, ' ', false,
                        nlohmann::ordered_json::error_handler_t::replace);
  }
  if (task.has_output_schema_json())
    return compact({{"_agent_fallback_text", true}, {"text", decoded.text}});
  return compact(decoded.text);
}

} // namespace

wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit) {
  wire::AgentOutcome outcome;
  if (auto error = verdict(exit)) {
    *outcome.mutable_error() = to_wire(*error);
    return outcome;
  }
  auto& result = *outcome.mutable_result();
  result.set_agent_id(task.agent_id());
  result.set_status(wire::AGENT_STATUS_OK);
  result.set_output_json(output_json(task, exit));
  return outcome;
}

} // namespace turnstile
