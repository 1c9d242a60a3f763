#pragma once

#include "config/plan/json/value.hpp"
#include "config/plan/text/complaints.hpp"

#include <cstddef>
#include <optional>

namespace turnstile::config {

/// What a JSON text may ask of us. Its size is bounded by whoever reads it.
struct json_limits {
  /// Objects and arrays inside each other.
  std::size_t max_depth = 64;

  /// Values in all: a text of commas and zeros grows a hundredfold in memory.
  std::size_t max_values = 2'000'000;
};

/// Parses the source of `wrong`. A text that is not JSON, not UTF-8 or beyond
/// the limits is one complaint and no value. A key that appears twice in its
/// object is a complaint too, but the value is returned: its first member of
/// this name is the one to use.
std::optional<json_value> parse_json(complaints& wrong,
                                     const json_limits& limits = {});

} // namespace turnstile::config
