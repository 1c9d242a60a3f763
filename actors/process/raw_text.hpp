#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// Text that is valid UTF-8, and how much of it had to be mended.
struct mended_text {
  std::string text;
  std::size_t replaced = 0;
};

/// Puts U+FFFD in the place of each byte that is no part of valid UTF-8. NUL
/// bytes are text.
mended_text mend(std::string_view bytes);

/// Leaves out the last bytes if they begin a character that is not all there.
/// For a text whose end was cut off: the missing bytes were there once.
std::string_view without_cut_end(std::string_view bytes) noexcept;

/// The same for a text whose beginning was cut off.
std::string_view without_cut_start(std::string_view bytes) noexcept;

} // namespace turnstile
