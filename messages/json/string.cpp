#include "messages/json/string.hpp"

#include "messages/utf8.hpp"

namespace turnstile::detail {

namespace {

std::string write_control(char c) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (c) {
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return std::string{"\\u00"} + hex[(c >> 4) & 0xF] + hex[c & 0xF];
  }
}

} // namespace

std::string write_json_string(std::string_view text) {
  std::string out{'"'};
  for (char c : to_utf8(text)) {
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (c >= 0 && c < 0x20)
      out += write_control(c);
    else
      out += c;
  }
  return out + '"';
}

} // namespace turnstile::detail
