#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace turnstile::draft7 {

/// Returns why there are too few or too many of something, or "".
inline std::string complaint_about_amount(std::uint64_t count,
                                          std::optional<std::uint64_t> least,
                                          std::optional<std::uint64_t> most,
                                          const char* of_what) {
  const auto says = [&](const char* bound, std::uint64_t limit) {
    return "wants " + (bound + std::to_string(limit)) + ' ' + of_what + ", has "
           + std::to_string(count);
  };
  return count < least.value_or(0)                  ? says("at least ", *least)
         : count > most.value_or(std::uint64_t(-1)) ? says("at most ", *most)
                                                    : "";
}

} // namespace turnstile::draft7
