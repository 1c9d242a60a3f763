#include "actors/testing/agent_steps.hpp"

#include "messages/translate/backend_error.hpp"

#include <utility>

namespace turnstile::testing {

namespace {

std::string usual_text(backend_error_kind kind) {
  if (kind == backend_error_kind::timeout
      || kind == backend_error_kind::cancelled)
    return {};
  return "mock " + std::string{to_string(kind)};
}

} // namespace

backend_step ok(std::string json_text, duration delay,
                const wire::TokenUsage& tokens) {
  wire::AgentOutcome outcome;
  auto* result = outcome.mutable_result();
  result->set_status(wire::AGENT_STATUS_OK);
  result->set_output_json(std::move(json_text));
  *result->mutable_tokens_used() = tokens;
  return succeed{outcome.SerializeAsString(), delay};
}

backend_step fails(backend_error_kind kind, duration delay, std::string text) {
  if (text.empty())
    text = usual_text(kind);
  wire::AgentOutcome outcome;
  *outcome.mutable_error() = to_wire(backend_error{kind, std::move(text)});
  return succeed{outcome.SerializeAsString(), delay};
}

backend_step hangs() {
  return hang{};
}

} // namespace turnstile::testing
