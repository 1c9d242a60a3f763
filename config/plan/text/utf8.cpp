#include "config/plan/text/utf8.hpp"

#include "core/base/utf8.hpp"

#include <cstdint>

namespace turnstile::config {

namespace {

bool is_control(char32_t value) {
  return value < 0x20 || (value >= 0x7f && value < 0xa0);
}

} // namespace

character character_at(std::string_view text, std::size_t offset) {
  const auto lead = static_cast<std::uint8_t>(text[offset]);
  const auto bytes = utf8_length(text.substr(offset));
  if (bytes == 0)
    return {char32_t{0xdc00} + lead, 1, false};
  if (bytes == 1)
    return {lead, 1, true};
  char32_t value = lead & (0x7fu >> bytes);
  for (const char next : text.substr(offset + 1, bytes - 1))
    value = (value << 6) | (static_cast<std::uint8_t>(next) & 0x3fu);
  return {value, bytes, true};
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = character_at(text, at);
    if (!next.valid)
      return at;
    at += next.bytes;
  }
  return std::nullopt;
}

std::u32string characters_of(std::string_view text) {
  std::u32string all;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = character_at(text, at);
    all.push_back(next.value);
    at += next.bytes;
  }
  return all;
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count)
    at += character_at(text, at).bytes;
  return count;
}

bool is_plain_name(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto next = character_at(text, at);
    if (!next.valid || is_control(next.value))
      return false;
    at += next.bytes;
  }
  return !text.empty();
}

} // namespace turnstile::config
