#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile::config {

/// Returns `text` in double quotes, safe for a terminal: quotes, backslashes
/// and control characters are escaped, bytes that are not UTF-8 show as `\xE9`,
/// and what is longer than `max_characters` ends in `...`.
std::string in_quotes(std::string_view text, std::size_t max_characters = 60);

} // namespace turnstile::config
