#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace turnstile::config {

/// One character of a text and the bytes it takes. A byte that is no part of
/// valid UTF-8 stands for itself: `value` is U+DC00 plus the byte, which no
/// valid text can hold, and `bytes` is 1.
struct character {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = true;
};

/// Reads the character at `offset`, which must lie inside `text`.
character character_at(std::string_view text, std::size_t offset);

/// Returns the offset of the first byte that is not UTF-8 as RFC 3629 has it:
/// no overlong forms, no surrogates, nothing above U+10FFFF.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Returns all characters of `text`, so that they can be counted and compared.
std::u32string characters_of(std::string_view text);

/// Returns how many characters `text` has.
std::size_t count_characters(std::string_view text);

/// Returns whether `text` is a name for people and terminals: not empty, valid
/// UTF-8 and without control characters.
bool is_plain_name(std::string_view text);

} // namespace turnstile::config
