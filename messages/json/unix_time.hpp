#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile::detail {

/// Renders nanoseconds since the Unix epoch as RFC 3339 has them, in UTC and
/// always with nine decimals: "2026-01-02T03:04:05.123456789Z".
std::string to_rfc3339(std::int64_t unix_ns);

/// Reads a time of RFC 3339 with any offset and up to nine decimals; nothing
/// if `text` is none, or out of range (the years 1677 to 2262).
std::optional<std::int64_t> from_rfc3339(std::string_view text);

} // namespace turnstile::detail
