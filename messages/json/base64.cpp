#include "messages/json/base64.hpp"

#include <cstddef>
#include <cstdint>

namespace turnstile::detail {

namespace {

constexpr std::string_view digits =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (char byte : bytes) {
    buffer = (buffer << 8) | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6; bits -= 6)
      out += digits[(buffer >> (bits - 6)) & 0x3F];
  }
  if (bits > 0)
    out += digits[(buffer << (6 - bits)) & 0x3F];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t buffer = 0;
  int bits = 0;
  for (char c : text.substr(0, text.find('='))) {
    auto digit = digits.find(c);
    if (digit == std::string_view::npos)
      return std::nullopt;
    buffer = (buffer << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>((buffer >> bits) & 0xFF);
    }
  }
  if (to_base64(out) != text) // Bad padding, or bits that no byte had.
    return std::nullopt;
  return out;
}

} // namespace turnstile::detail
