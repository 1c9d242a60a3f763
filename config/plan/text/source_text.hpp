#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace turnstile::config {

/// A text that people wrote, and the name they know it by. Owns neither.
struct source_text {
  /// The file's name as the user gave it.
  std::string_view name;

  /// Its content, without a byte order mark.
  std::string_view text;

  /// How many bytes of the file come before: those of the mark.
  std::size_t skipped = 0;

  /// Takes `bytes` apart. Some editors put a byte order mark in front.
  static source_text of(std::string_view name, std::string_view bytes);

  /// Renders where `offset` is as `"plan.json:12:7"`: line and column count
  /// from 1, a column is one character. Costs O(offset).
  [[nodiscard]] std::string place_of(std::size_t offset) const;

  /// The same without the name: `"12:7"`.
  [[nodiscard]] std::string line_and_column_of(std::size_t offset) const;
};

} // namespace turnstile::config
