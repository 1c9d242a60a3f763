#include "messages/translate/lifecycle.hpp"

#include "messages/translate/numbered.hpp"

namespace turnstile {

// Whoever appends a number to a schema appends it to core, too.
static_assert(wire::WorkLifecycle_MAX == int(work_lifecycle::failed));
static_assert(wire::RequestStatus_MAX == int(request_status::failed));
static_assert(wire::CancellationCause_MAX == int(cancellation_cause::deadline));

wire::WorkLifecycle to_wire(work_lifecycle lifecycle) noexcept {
  return static_cast<wire::WorkLifecycle>(lifecycle);
}

wire::RequestStatus to_wire(request_status status) noexcept {
  return static_cast<wire::RequestStatus>(status);
}

wire::CancellationCause to_wire(cancellation_cause cause) noexcept {
  return static_cast<wire::CancellationCause>(cause);
}

result<work_lifecycle> from_wire(wire::WorkLifecycle number,
                                 std::string_view field) {
  return from_numbered<work_lifecycle>(number, field);
}

result<request_status> from_wire(wire::RequestStatus number,
                                 std::string_view field) {
  return from_numbered<request_status>(number, field);
}

result<cancellation_cause> from_wire(wire::CancellationCause number,
                                     std::string_view field) {
  return from_numbered<cancellation_cause>(number, field);
}

} // namespace turnstile
