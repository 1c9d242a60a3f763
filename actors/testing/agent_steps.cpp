#include "actors/testing/agent_steps.hpp"

#include "messages/translate.hpp"

#include <utility>

namespace turnstile {

backend_step succeeds(std::string output_json, duration delay,
                      const wire::TokenUsage& tokens) {
  wire::AgentOutcome outcome;
  auto& result = *outcome.mutable_result();
  result.set_status(wire::AGENT_STATUS_OK);
  result.set_output_json(std::move(output_json));
  *result.mutable_tokens_used() = tokens;
  return {backend_step::succeed{outcome.SerializeAsString()}, delay};
}

backend_step fails(backend_error_kind kind, duration delay, std::string text) {
  if (text.empty())
    text = "mock " + std::string{to_string(kind)};
  wire::AgentOutcome outcome;
  *outcome.mutable_error() = to_wire(backend_error{kind, std::move(text)});
  return {backend_step::succeed{outcome.SerializeAsString()}, delay};
}

backend_step hangs() {
  return {backend_step::hang{}, {}};
}

} // namespace turnstile
