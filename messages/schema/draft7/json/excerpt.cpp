#include "messages/schema/draft7/json/excerpt.hpp"

#include "core/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace turnstile::draft7 {

namespace {

// C0, DEL and C1: what a terminal obeys instead of showing it.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  return first < 0x20 || first == 0x7F
         || (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

void append_plain(std::string& out, std::string_view character) {
  if (character == "\"" || character == "\\") {
    out.append("\\").append(character);
  } else if (!is_control(character)) {
    out += character;
  } else {
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x",
                  static_cast<unsigned char>(character.back()));
    out += escape.data();
  }
}

} // namespace

std::string in_quotes(std::string_view text, std::size_t max_characters) {
  std::string out{'"'};
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == max_characters)
      return out + "...\"";
    const auto length = std::max<std::size_t>(utf8_length(text), 1);
    append_plain(out, text.substr(0, length));
    text.remove_prefix(length);
  }
  return out + '"';
}

std::string excerpt(const nlohmann::json& value) {
  if (value.is_string())
    return in_quotes(value.get_ref<const std::string&>());
  if (value.is_object())
    return value.empty() ? "an empty object" : "an object";
  if (value.is_array())
    return value.empty() ? "an empty array" : "an array";
  return value.dump();
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes)
    return std::string{text};
  auto end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return std::string{text.substr(0, end)} + "...";
}

} // namespace turnstile::draft7
