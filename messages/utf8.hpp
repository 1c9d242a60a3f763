#pragma once

#include "core/base/utf8.hpp"

#include <string>
#include <string_view>

namespace turnstile {

/// Returns `text` with U+FFFD for each byte that is no part of valid UTF-8.
/// Text from outside must pass through here before it goes into a message: one
/// bad byte in a `string` and the other side cannot read any of the message.
std::string to_utf8(std::string_view text);

/// Appends `character` as UTF-8.
/// @pre it is a Unicode scalar value
void append_utf8(std::string& out, char32_t character);

} // namespace turnstile
