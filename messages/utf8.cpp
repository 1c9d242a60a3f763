#include "messages/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace turnstile {

namespace {

bool is_between(char byte, unsigned low, unsigned high) noexcept {
  auto value = static_cast<unsigned char>(byte);
  return low <= value && value <= high;
}

} // namespace

// The table of RFC 3629, section 4: only the second byte has odd bounds.
std::size_t utf8_length(std::string_view text) noexcept {
  if (text.empty())
    return 0;
  auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80)
    return 1;
  if (first < 0xC2 || first > 0xF4)
    return 0;
  std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (text.size() < length)
    return 0;
  auto low = first == 0xE0 ? 0xA0u : first == 0xF0 ? 0x90u : 0x80u;
  auto high = first == 0xED ? 0x9Fu : first == 0xF4 ? 0x8Fu : 0xBFu;
  auto rest = text.substr(2, length - 2);
  return is_between(text[1], low, high)
             && std::ranges::all_of(
               rest, [](char c) { return is_between(c, 0x80, 0xBF); })
           ? length
           : 0;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto length = utf8_length(text);
    out += length == 0 ? "\uFFFD" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

void append_utf8(std::string& out, char32_t character) {
  auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xE0 | (character >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (character >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

} // namespace turnstile
