#include "actors/node/text_width.hpp"

#include "config/plan/text/utf8.hpp"

#include <algorithm>
#include <array>

namespace turnstile::node {

namespace {

struct span {
  char32_t first;
  char32_t last;
};

// The blocks that matter, not the whole of Unicode: a name that is measured
// wrongly is cut a little early or late.
constexpr std::array<span, 12> wide{{{0x1100, 0x115F},
                                     {0x2E80, 0x303E},
                                     {0x3041, 0xA4CF},
                                     {0xAC00, 0xD7A3},
                                     {0xF900, 0xFAFF},
                                     {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},
                                     {0xFFE0, 0xFFE6},
                                     {0x1F300, 0x1F64F},
                                     {0x1F680, 0x1F6FF},
                                     {0x1F900, 0x1F9FF},
                                     {0x20000, 0x3FFFD}}};
constexpr std::array<span, 6> combining{{{0x0300, 0x036F},
                                         {0x1AB0, 0x1AFF},
                                         {0x200B, 0x200F},
                                         {0x20D0, 0x20FF},
                                         {0xFE00, 0xFE0F},
                                         {0xFE20, 0xFE2F}}};

bool among(const auto& spans, char32_t c) {
  return std::any_of(spans.begin(), spans.end(), [&](const span& one) {
    return one.first <= c && c <= one.last;
  });
}

std::size_t columns_of(char32_t c) {
  return among(combining, c) ? 0 : among(wide, c) ? 2 : 1;
}

/// Returns how many bytes of `text` fit, in whole characters.
std::size_t bytes_that_fit(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const auto next = config::character_at(text, bytes);
    const auto takes = columns_of(next.value);
    if (takes > columns)
      break;
    columns -= takes;
    bytes += next.bytes;
  }
  return bytes;
}

} // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t all = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = config::character_at(text, at);
    all += columns_of(next.value);
    at += next.bytes;
  }
  return all;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns)
    return std::string{text};
  if (columns == 0)
    return {};
  return std::string{text.substr(0, bytes_that_fit(text, columns - 1))}
         + "\xE2\x80\xA6";
}

std::string wrapped(std::string_view text, std::size_t columns,
                    std::size_t indent) {
  indent = std::min(indent, columns / 2);
  std::string lines;
  auto room = columns;
  while (columns_of(text) > room) {
    auto end = bytes_that_fit(text, room);
    auto next = end;
    // The line may end before the blank that does not fit any more.
    if (const auto blank = text.substr(0, end + 1).find_last_of(' ');
        blank != text.npos && text.find_first_not_of(' ') < blank) {
      end = blank;
      next = blank + 1;
    }
    if (next == 0)
      break; // not even one character fits
    (lines += text.substr(0, end)) += '\n' + std::string(indent, ' ');
    text.remove_prefix(next);
    room = columns - indent;
  }
  return lines += text;
}

std::string without_controls(std::string_view text, std::string_view keep) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = config::character_at(text, at);
    const auto bytes = text.substr(at, next.bytes);
    const auto is_control =
      next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0);
    plain += is_control && keep.find(bytes) == keep.npos ? " " : bytes;
    at += next.bytes;
  }
  return plain;
}

std::string one_line(std::string_view text) {
  return without_controls(text, "");
}

} // namespace turnstile::node
