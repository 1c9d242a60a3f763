#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace turnstile::config {

/// Reads a whole number and its unit: `"512B"`, `"64KiB"`, `"1MiB"`, `"2GiB"`.
result<std::uint64_t> parse_byte_size(std::string_view text);

/// Writes `bytes` in the largest unit that is exact: `"1MiB"`, `"1025B"`.
std::string render_byte_size(std::uint64_t bytes);

} // namespace turnstile::config
