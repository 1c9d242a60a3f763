#include "messages/translate/backend_error.hpp"

#include "messages/translate/numbered.hpp"
#include "messages/utf8.hpp"

#include <algorithm>

namespace turnstile {

static_assert(wire::BackendErrorKind_MAX == int(backend_error_kind::other));

wire::BackendErrorKind to_wire(backend_error_kind kind) noexcept {
  return static_cast<wire::BackendErrorKind>(kind);
}

wire::BackendError to_wire(const backend_error& error) {
  wire::BackendError message;
  message.set_kind(to_wire(error.kind));
  message.set_text(to_utf8(error.text));
  if (error.wanted_pause)
    message.set_retry_after_ns(error.wanted_pause->count());
  return message;
}

result<backend_error_kind> from_wire(wire::BackendErrorKind number,
                                     std::string_view field) {
  return from_numbered<backend_error_kind>(number, field);
}

result<backend_error> from_wire(const wire::BackendError& message,
                                std::string_view field) {
  auto kind = from_wire(message.kind(), inside(field, "kind"));
  if (!kind)
    return fail(kind.error());
  backend_error error{*kind, message.text(), {}};
  if (message.has_retry_after_ns())
    error.wanted_pause = std::clamp(duration{message.retry_after_ns()},
                                    duration::zero(), longest_span);
  return error;
}

} // namespace turnstile
