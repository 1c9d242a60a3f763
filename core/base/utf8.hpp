#pragma once

#include <cstddef>
#include <string_view>

namespace turnstile {

/// Returns how many bytes the character at the front of `text` takes, from 1
/// to 4, or 0 if no valid one stands there (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF) or `text` is empty.
std::size_t utf8_length(std::string_view text) noexcept;

} // namespace turnstile
