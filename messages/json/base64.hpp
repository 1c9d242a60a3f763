#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace turnstile::detail {

/// Renders `bytes` in base64 (RFC 4648, section 4), padded with '='.
std::string to_base64(std::string_view bytes);

/// Reads what `to_base64` writes; nothing if any other text is given, so that
/// there is exactly one text for every bytes.
std::optional<std::string> from_base64(std::string_view text);

} // namespace turnstile::detail
