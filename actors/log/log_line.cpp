#include "actors/log/log_line.hpp"

#include "messages/utf8.hpp"

#include <algorithm>
#include <cstdio>

namespace turnstile {

namespace {

bool is_plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')
         || (c >= 'a' && c <= 'z')
         || std::string_view{"_-.:/+%@,"}.find(static_cast<char>(c))
              != std::string_view::npos;
}

/// Bytes at `text` that some reader takes for the end of a line, or for an
/// order to its terminal, though they are no ASCII: U+0080 to U+009F, U+2028
/// and U+2029. Returns their number, and which character it is.
std::size_t odd_character(std::string_view text, unsigned& which) {
  if (text.size() >= 2 && text[0] == '\xC2'
      && static_cast<unsigned char>(text[1]) < 0xA0)
    return which = static_cast<unsigned char>(text[1]), 2;
  if (text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9"))
    return which = 0x2000U + (static_cast<unsigned char>(text[2]) - 0x80U), 3;
  return 0;
}

void append_escape(std::string& out, unsigned character) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", character & 0xFFFFU);
  out += escape;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    unsigned which = c;
    std::size_t bytes = 1;
    if (c == '"' || c == '\\')
      (out += '\\') += text.front();
    else if (c == '\n')
      out += "\\n";
    else if (c < 0x20 || c == 0x7F)
      append_escape(out, c);
    else if (const auto odd = odd_character(text, which); odd > 0) {
      append_escape(out, which);
      bytes = odd;
    } else
      out += text.front();
    text.remove_prefix(bytes);
  }
  out += '"';
}

} // namespace

log_line& log_line::operator()(std::string_view key, std::string_view value) {
  ((text_ += ' ') += key) += '=';
  if (!value.empty() && std::all_of(value.begin(), value.end(), is_plain))
    text_ += value;
  else
    append_quoted(text_, to_utf8(value));
  return *this;
}

} // namespace turnstile
