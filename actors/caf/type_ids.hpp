#pragma once

#include "actors/caf/version.hpp"
#include "core/base/error.hpp"

#include <caf/error.hpp>
#include <caf/message.hpp>
#include <caf/type_id.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#if TURNSTILE_OLD_CAF
#include <caf/make_message.hpp>
#endif

namespace turnstile {

/// Where the type-id block of an application starts. The twenty numbers before
/// it belong to the seam. CAF 1.x sends these numbers: they never move.
inline constexpr caf::type_id_t first_type_id = caf::first_custom_type_id + 20;

// What CAF 1.x wants to find beside an enum that it prints and parses.
bool from_string(std::string_view name, errc& code) noexcept;
bool from_integer(std::uint8_t number, errc& code) noexcept;

} // namespace turnstile

// The seam's own block: append only, at most twenty entries.
CAF_BEGIN_TYPE_ID_BLOCK(turnstile_seam, caf::first_custom_type_id)

  CAF_ADD_TYPE_ID(turnstile_seam, (turnstile::errc))

CAF_END_TYPE_ID_BLOCK(turnstile_seam)

// Makes `errc` THE error code that travels, in the category "turnstile".
#if TURNSTILE_OLD_CAF

CAF_ERROR_CODE_ENUM(turnstile::errc, "turnstile")

#else

CAF_ERROR_CODE_ENUM(turnstile::errc)

namespace turnstile {

/// A code that only a newer peer knows is kept as its number.
template <class Inspector>
bool inspect(Inspector& f, errc& code) {
  if (f.has_human_readable_format()) {
    auto get = [&code] { return std::string{to_string(code)}; };
    auto set = [&code](std::string_view name) {
      return from_string(name, code);
    };
    return f.apply(get, set);
  }
  auto get = [&code] { return static_cast<std::uint8_t>(code); };
  auto set = [&code](std::uint8_t number) {
    code = static_cast<errc>(number);
    return true;
  };
  return f.apply(get, set);
}

} // namespace turnstile

#endif
