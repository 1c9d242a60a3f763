#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// Text that is valid UTF-8, and how often it had to be mended.
struct repaired_text {
  std::string text;
  std::size_t replaced = 0;
};

/// Puts U+FFFD in the place of whatever is not UTF-8: one for each longest
/// start of a code point, as the Unicode standard recommends and browsers do.
/// NUL bytes are text.
repaired_text repair_utf8(std::string_view bytes);

/// Leaves out the last bytes if they begin a code point that is not all
/// there. For a text that was cut: the missing bytes were there once.
std::string_view without_cut_end(std::string_view bytes);

/// The same for a text whose beginning was cut.
std::string_view without_cut_start(std::string_view bytes);

} // namespace turnstile
