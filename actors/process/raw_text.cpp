#include "actors/process/raw_text.hpp"

#include "messages/utf8.hpp"

#include <algorithm>

namespace turnstile {

namespace {

// Of a character that is not all there: it has four bytes at most.
constexpr auto max_part = std::size_t{3};

bool continues(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// How many bytes a first byte promises. It need not be a lawful one.
std::size_t promised(char byte) noexcept {
  auto first = static_cast<unsigned char>(byte);
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

} // namespace

mended_text mend(std::string_view bytes) {
  auto out = mended_text{};
  out.text.reserve(bytes.size());
  while (!bytes.empty()) {
    auto length = utf8_length(bytes);
    out.text += length == 0 ? "\uFFFD" : bytes.substr(0, length);
    out.replaced += length == 0 ? 1 : 0;
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string_view without_cut_end(std::string_view bytes) noexcept {
  for (std::size_t part = 1; part <= std::min(bytes.size(), max_part); ++part) {
    auto first = bytes[bytes.size() - part];
    if (continues(first))
      continue;
    if (promised(first) > part)
      bytes.remove_suffix(part);
    return bytes;
  }
  return bytes;
}

std::string_view without_cut_start(std::string_view bytes) noexcept {
  for (std::size_t part = 0; part < max_part; ++part)
    if (!bytes.empty() && continues(bytes.front()))
      bytes.remove_prefix(1);
  return bytes;
}

} // namespace turnstile
