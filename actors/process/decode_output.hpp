#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile {

/// JSON nested more deeply than this is taken for text, because those who
/// read it later may recurse.
inline constexpr std::size_t max_json_depth = 256;

/// A child's standard output as an answer.
struct decoded_output {
  /// Valid UTF-8. A text without its one trailing newline; JSON as it came,
  /// but without a byte order mark.
  std::string text;

  /// How many bytes were not UTF-8 and became U+FFFD.
  std::size_t replaced = 0;

  /// `text` is exactly one JSON value, with space around it at most.
  bool is_json = false;
};

/// Reads the kept bytes of an output. If it was `cut`, it is text, whatever
/// it looks like, and a character that the cut has halved is left out.
decoded_output decode_output(std::string_view bytes, bool cut);

} // namespace turnstile
