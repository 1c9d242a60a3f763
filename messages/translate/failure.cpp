#include "messages/translate/failure.hpp"

#include "messages/translate/refusal.hpp"
#include "messages/utf8.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace turnstile {

namespace {

std::optional<errc> known_code(std::uint32_t number) noexcept {
  if (number > std::numeric_limits<std::uint8_t>::max())
    return std::nullopt;
  return errc_from_number(static_cast<std::uint8_t>(number));
}

} // namespace

wire::Failure to_wire(const failure& why) {
  wire::Failure message;
  message.set_code(static_cast<std::uint32_t>(why.code));
  message.set_detail(to_utf8(why.detail));
  return message;
}

result<failure> from_wire(const wire::Failure& message,
                          std::string_view field) {
  auto code = inside(field, "code");
  if (message.code() == 0)
    return missing(code);
  if (auto known = known_code(message.code()))
    return failure{*known, message.detail()};
  auto why = unknown_number(code, message.code(), "errc").value();
  why.detail += " (" + message.detail() + ')';
  return fail(std::move(why));
}

failure failure_in(const wire::Failure& message, std::string_view field) {
  auto why = from_wire(message, field);
  return why ? std::move(*why) : std::move(why.error());
}

} // namespace turnstile
