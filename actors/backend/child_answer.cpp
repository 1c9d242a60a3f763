#include "actors/backend/child_answer.hpp"

#include "actors/process/decode_output.hpp"
#include "actors/process/verdict.hpp"
#include "messages/translate/backend_error.hpp"

#include <nlohmann/json.hpp>

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
    return compact_json(decoded.text);
  if (!task.has_output_schema_json())
    return json_string(decoded.text);
  return R"({"_agent_fallback_text":true,"text":)" + json_string(decoded.text)
         + '}';
}

} // namespace

std::string compact_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    auto c = json[i];
    if (c == '"')
      in_string = !in_string;
    if (!in_string && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
      continue;
    out += c;
    if (in_string && c == '\\' && i + 1 < json.size())
      out += json[++i];
  }
  return out;
}

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
  result->set_output_json(output_of(task, exit));
  return outcome;
}

} // namespace turnstile
