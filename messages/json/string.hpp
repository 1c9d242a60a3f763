#pragma once

#include <string>
#include <string_view>

namespace turnstile::detail {

/// Writes a text as a JSON string. What is not UTF-8 becomes U+FFFD.
std::string write_json_string(std::string_view text);

} // namespace turnstile::detail
