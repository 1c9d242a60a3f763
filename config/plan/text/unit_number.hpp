#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace turnstile::config {

/// A unit's name and how many of the smallest one it is.
using unit = std::pair<std::string_view, std::uint64_t>;

/// A number with a unit is either fine, not written as one, or too large.
struct unit_number {
  std::optional<std::uint64_t> value; ///< In the smallest unit.
  bool too_large = false;
};

/// Reads digits that are followed by one of `units`; durations and sizes are
/// written like that. More than `most` is too large.
unit_number parse_unit_number(std::string_view text,
                              std::span<const unit> units, std::uint64_t most);

/// Writes `value` in the largest unit that is exact; zero in `for_zero`.
std::string render_unit_number(std::uint64_t value, std::span<const unit> units,
                               std::string_view for_zero);

} // namespace turnstile::config
