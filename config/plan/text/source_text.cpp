#include "config/plan/text/source_text.hpp"

#include "config/plan/text/utf8.hpp"

#include <algorithm>

namespace turnstile::config {

source_text source_text::of(std::string_view name, std::string_view bytes) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const auto skipped = bytes.starts_with(mark) ? mark.size() : 0;
  return {name, bytes.substr(skipped), skipped};
}

std::string source_text::place_of(std::size_t offset) const {
  return std::string{name} + ':' + line_and_column_of(offset);
}

std::string source_text::line_and_column_of(std::size_t offset) const {
  const auto before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto newline = before.rfind('\n');
  const auto line =
    newline == before.npos ? before : before.substr(newline + 1);
  return std::to_string(lines + 1) + ':'
         + std::to_string(count_characters(line) + 1);
}

} // namespace turnstile::config
