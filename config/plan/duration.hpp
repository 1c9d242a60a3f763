#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <string>
#include <string_view>

namespace turnstile::config {

/// The longest duration that a plan or a flag may name: about a hundred years,
/// so that it can be added to any clock's instant.
inline constexpr duration max_duration = longest_span;

/// Reads a whole number and its unit: `"250ms"`, `"30s"`, `"5m"`. The units are
/// ns, us, ms, s, m, h and d. No sign, no fraction, no space.
result<duration> parse_duration(std::string_view text);

/// Writes `length` in the largest unit that is exact: `"90s"`, `"1h"`, `"0s"`.
std::string render_duration(duration length);

} // namespace turnstile::config
