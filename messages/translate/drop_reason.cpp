#include "messages/translate/drop_reason.hpp"

#include "messages/translate/numbered.hpp"

namespace turnstile {

static_assert(wire::DropReason_MAX == int(drop_reason::cancelled));

wire::DropReason to_wire(drop_reason reason) noexcept {
  return static_cast<wire::DropReason>(reason);
}

result<drop_reason> from_wire(wire::DropReason number, std::string_view field) {
  return from_numbered<drop_reason>(number, field);
}

} // namespace turnstile
