#include "messages/translate/backend_terms.hpp"

namespace turnstile {

wire::BackendTerms to_wire(const std::string& name, const gate_policy& gate) {
  wire::BackendTerms message;
  message.set_name(name);
  if (gate.concurrency)
    message.set_concurrency(*gate.concurrency);
  message.set_closed(gate.closed);
  message.set_rest_after(gate.rest_after);
  message.set_first_rest_ns(gate.first_rest.count());
  message.set_rest_multiplier(gate.multiplier);
  message.set_max_rest_ns(gate.max_rest.count());
  return message;
}

result<gate_policy> from_wire(const wire::BackendTerms& message,
                              std::string_view field) {
  gate_policy gate;
  if (message.has_concurrency())
    gate.concurrency = message.concurrency();
  gate.closed = message.closed();
  if (message.has_rest_after())
    gate.rest_after = message.rest_after();
  if (message.has_first_rest_ns())
    gate.first_rest = duration{message.first_rest_ns()};
  if (message.has_rest_multiplier())
    gate.multiplier = message.rest_multiplier();
  if (message.has_max_rest_ns())
    gate.max_rest = duration{message.max_rest_ns()};
  auto valid = validate(gate);
  if (!valid)
    valid.error().detail = std::string{field} + ": " + valid.error().detail;
  return valid;
}

} // namespace turnstile
