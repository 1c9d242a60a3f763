#include "core/base/utf8.hpp"

#include <algorithm>

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

} // namespace turnstile
