#include "config/plan/text/quote.hpp"

#include "config/plan/text/utf8.hpp"

#include <array>
#include <cstdio>

namespace turnstile::config {

namespace {

std::string hex(const char* format, unsigned value) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string escaped(const character& one, std::string_view bytes) {
  if (!one.valid)
    return hex("\\x%02X", static_cast<unsigned>(one.value - 0xdc00));
  switch (one.value) {
  case U'"':
    return "\\\"";
  case U'\\':
    return "\\\\";
  case U'\n':
    return "\\n";
  case U'\t':
    return "\\t";
  default:
    if (is_plain_name(bytes))
      return std::string{bytes};
    return hex("\\u%04X", static_cast<unsigned>(one.value));
  }
}

} // namespace

std::string in_quotes(std::string_view text, std::size_t max_characters) {
  std::string out{'"'};
  for (std::size_t at = 0, count = 0; at < text.size(); ++count) {
    if (count == max_characters)
      return out + "...\"";
    const auto next = character_at(text, at);
    out += escaped(next, text.substr(at, next.bytes));
    at += next.bytes;
  }
  return out + '"';
}

} // namespace turnstile::config
