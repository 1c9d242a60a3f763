#include "config/plan/text/unit_number.hpp"

#include <charconv>
#include <system_error>

namespace turnstile::config {

unit_number parse_unit_number(std::string_view text,
                              std::span<const unit> units, std::uint64_t most) {
  const auto digits = text.substr(0, text.find_first_not_of("0123456789"));
  const auto name = text.substr(digits.size());
  std::uint64_t size = 0;
  for (const auto& [known, factor] : units)
    if (known == name)
      size = factor;
  if (digits.empty() || size == 0)
    return {};
  std::uint64_t count = 0;
  const auto [end, error] =
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || count > most / size)
    return {std::nullopt, true};
  return {count * size, false};
}

std::string render_unit_number(std::uint64_t value, std::span<const unit> units,
                               std::string_view for_zero) {
  if (value == 0)
    return '0' + std::string{for_zero};
  auto best = units.front();
  for (const auto& one : units)
    if (value % one.second == 0 && one.second > best.second)
      best = one;
  return std::to_string(value / best.second).append(best.first);
}

} // namespace turnstile::config
