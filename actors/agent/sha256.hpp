#pragma once

#include <string>
#include <string_view>

namespace turnstile {

/// The SHA-256 of `bytes` (FIPS 180-4): 32 bytes.
std::string sha256(std::string_view bytes);

/// The same as 64 hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

} // namespace turnstile
