#include "config/plan/text/utf8.hpp"

#include <cstdint>

namespace turnstile::config {

namespace {

std::uint8_t byte_at(std::string_view text, std::size_t offset) {
  return static_cast<std::uint8_t>(text[offset]);
}

// How many bytes a character takes whose first byte is `lead`; 0 for a byte
// that cannot be first.
std::size_t length_of(std::uint8_t lead) {
  if (lead < 0x80)
    return 1;
  if (lead < 0xc2)
    return 0; // A continuation, or the start of an overlong form.
  if (lead < 0xe0)
    return 2;
  if (lead < 0xf0)
    return 3;
  return lead < 0xf5 ? 4 : 0;
}

bool is_scalar_value(char32_t value, std::size_t bytes) {
  switch (bytes) {
  case 3:
    return value >= 0x800 && (value < 0xd800 || value > 0xdfff);
  case 4:
    return value >= 0x10000 && value <= 0x10ffff;
  default:
    return true; // The lead byte has settled it.
  }
}

bool is_control(char32_t value) {
  return value < 0x20 || (value >= 0x7f && value < 0xa0);
}

} // namespace

character character_at(std::string_view text, std::size_t offset) {
  const auto lead = byte_at(text, offset);
  const auto broken = character{char32_t{0xdc00} + lead, 1, false};
  const auto bytes = length_of(lead);
  if (bytes == 1)
    return {lead, 1, true};
  if (bytes == 0 || text.size() - offset < bytes)
    return broken;
  char32_t value = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = byte_at(text, offset + i);
    if ((next & 0xc0) != 0x80)
      return broken;
    value = (value << 6) | (next & 0x3fu);
  }
  return is_scalar_value(value, bytes) ? character{value, bytes, true} : broken;
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
