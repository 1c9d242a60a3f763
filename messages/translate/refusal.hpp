#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace turnstile {

/// Refuses a message because `field` is not in it: "WorkId.life is missing".
inline tl::unexpected<failure> missing(std::string_view field) {
  return fail(errc::invalid_argument, std::string{field} + " is missing");
}

/// Refuses a number that only a newer peer knows, or none:
/// "WorkEnded.lifecycle: 9 is no WorkLifecycle".
inline tl::unexpected<failure> unknown_number(std::string_view field,
                                              std::int64_t number,
                                              std::string_view type) {
  return fail(errc::invalid_argument, std::string{field} + ": "
                                        + std::to_string(number) + " is no "
                                        + std::string{type});
}

/// Returns the name of a field inside another: "WorkId" and "request" make
/// "WorkId.request".
inline std::string inside(std::string_view outer, std::string_view field) {
  return std::string{outer} + '.' + std::string{field};
}

} // namespace turnstile
