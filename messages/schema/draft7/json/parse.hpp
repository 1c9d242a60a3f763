#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace turnstile::draft7 {

using nlohmann::json;

/// What a JSON text may ask of us.
struct json_limits {
  std::size_t max_bytes;
  std::size_t max_values;      ///< A text of zeros grows a dozenfold in memory.
  std::size_t max_depth = 256; ///< Objects and arrays inside each other.
};

/// Parses a whole JSON text, or says why not: "byte 12 is not valid JSON: ...".
/// A key that comes twice in an object is refused: readers differ on which of
/// the two counts, so one could be checked and the other used.
tl::expected<json, std::string> parse_json(std::string_view text,
                                           const json_limits& limits);

} // namespace turnstile::draft7
