#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace turnstile::draft7 {

/// Returns UTF-8 `text` in quotes for a sentence: control characters escaped as
/// JSON does it, and cut if it is long.
std::string in_quotes(std::string_view text, std::size_t max_characters = 60);

/// Returns a value for a sentence: scalars as JSON, cut if they are long; of
/// objects and arrays only that they are one, whatever they hold.
std::string excerpt(const nlohmann::json& value);

/// Returns at most `max_bytes` of UTF-8 `text`, whole characters, with "..." if
/// some are left out.
std::string shortened(std::string_view text, std::size_t max_bytes);

} // namespace turnstile::draft7
