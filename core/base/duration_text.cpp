#include "core/base/duration_text.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace turnstile {

std::string duration_text(duration length) {
  using namespace std::chrono;
  constexpr auto units = std::to_array<std::pair<std::string_view, duration>>(
    {{"d", hours{24}},
     {"h", hours{1}},
     {"m", minutes{1}},
     {"s", seconds{1}},
     {"ms", milliseconds{1}},
     {"us", microseconds{1}}});
  if (length == duration::zero())
    return "0s";
  for (const auto& [name, unit] : units)
    if (length % unit == duration::zero())
      return std::to_string(length / unit) + std::string{name};
  return std::to_string(length.count()) + "ns";
}

} // namespace turnstile
