#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// Returns how many bytes the character at the front of `text` takes, from 1
/// to 4, or 0 if no valid one stands there (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF) or `text` is empty.
std::size_t utf8_length(std::string_view text) noexcept;

/// Returns `text` with U+FFFD for each byte that is no part of valid UTF-8.
/// Text from outside must pass through here before it goes into a message: one
/// bad byte in a `string` and the other side cannot read any of the message.
std::string to_utf8(std::string_view text);

/// Appends `character` as UTF-8.
/// @pre it is a Unicode scalar value
void append_utf8(std::string& out, char32_t character);

} // namespace turnstile
