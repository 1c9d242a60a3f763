#include "messages/schema/draft7/pattern/ecma.hpp"

#include "core/base/utf8.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"
#include "messages/schema/draft7/pattern/unicode_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>

namespace turnstile::draft7 {

namespace {

// `\s` of ECMA-262 is more than RE2's, and so is what `.` leaves out. All are
// written as they stand inside a class; the third is all but the first.
constexpr std::string_view space =
  R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f})"
  R"(\x{3000}\x{feff})";
constexpr std::string_view line_ends = R"(\n\r\x{2028}\x{2029})";
constexpr std::string_view no_space =
  R"(\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff})"
  R"(\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff})"
  R"(\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

constexpr bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

constexpr bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

class translation {
public:
  translation(std::string_view pattern, beyond_re2 what)
    : rest_{pattern}, approximate_{what == beyond_re2::approximate} {}

  tl::expected<std::string, std::string> run() {
    while (wrong_.empty() && !rest_.empty())
      step();
    if (wrong_.empty() && in_class_)
      refuse("a class does not end");
    if (!wrong_.empty())
      return tl::unexpected{std::move(wrong_)};
    return std::move(out_);
  }

private:
  void step() {
    if (take("\\"))
      escape();
    else if (in_class_)
      inside_class();
    else if (take("[^]"))
      out_ += R"([\x00-\x{10ffff}])"; // Not nothing.
    else if (take("[]"))
      out_ += R"([^\x00-\x{10ffff}])";
    else if (take("."))
      out_.append("[^").append(line_ends).append("]");
    else if (take("(?"))
      group();
    else {
      in_class_ = rest_.front() == '[';
      if (take("[^"))
        out_ += "[^";
      else
        copy();
    }
  }

  void inside_class() {
    in_class_ = rest_.front() != ']';
    if (take("["))
      out_ += "\\["; // RE2 knows [:alpha:], ECMA-262 does not.
    else
      copy();
  }

  void group() {
    if (take(":"))
      out_ += "(?:";
    else if (take("=") || take("!") || take("<=") || take("<!"))
      beyond("looking around, as (?=...) and (?<!...) do,", "(?:");
    else if (const auto end = rest_.find('>');
             rest_.starts_with('<') && end != rest_.npos) {
      rest_.remove_prefix(end + 1); // Nobody asks for a group by its name.
      out_ += '(';
    } else {
      refuse("what follows (? is unknown");
    }
  }

  void escape() {
    if (rest_.empty())
      return refuse("nothing follows a \\");
    const char c = rest_.front();
    if (!is_letter(c) && !is_digit(c))
      return escaped_itself();
    rest_.remove_prefix(1);
    switch (c) {
    case 's':
    case 'S':
      return add_space(c == 'S');
    case 'p':
    case 'P':
      return property(c);
    case 'u':
      return literal(unicode());
    case 'x':
      return literal(hex(2));
    case 'c':
      return control();
    case '0':
      return literal(0U);
    case 'b':
      return in_class_ ? literal(8U) : add("\\b");
    case 'k':
      return named_reference();
    case 'B':
      return in_class_ ? unknown(c) : add("\\B");
    default:
      if (std::string_view{"dDwWtnvfr"}.find(c) != std::string_view::npos)
        return add(std::string{'\\', c});
      if (is_digit(c) && !in_class_)
        return back_reference();
      unknown(c);
    }
  }

  // RE2 takes a backslash only before ASCII, and not before `_`.
  void escaped_itself() {
    if (rest_.front() == '_' || static_cast<unsigned char>(rest_.front()) > 127)
      return copy();
    out_ += '\\';
    copy();
  }

  void add_space(bool negated) {
    if (in_class_)
      add(negated ? no_space : space);
    else
      out_.append(negated ? "[^" : "[").append(space).append("]");
  }

  void property(char letter) {
    const auto end = rest_.find('}');
    if (!rest_.starts_with('{') || end == rest_.npos)
      return refuse("\\p wants a name in braces");
    const auto name = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    out_.append({'\\', letter, '{'}).append(re2_unicode_name(name)).append("}");
  }

  std::optional<unsigned> unicode() {
    if (take("{")) {
      const auto value = hex(std::min<std::size_t>(rest_.find('}'), 8));
      return take("}") ? value : std::nullopt;
    }
    const auto high = hex(4);
    if (!high || *high < 0xD800 || *high > 0xDBFF || !take("\\u"))
      return high;
    const auto low = hex(4); // The second half of a character above U+FFFF.
    if (!low || *low < 0xDC00 || *low > 0xDFFF)
      return std::nullopt;
    return 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00);
  }

  std::optional<unsigned> hex(std::size_t digits) {
    const auto text = rest_.substr(0, digits);
    unsigned value = 0;
    const auto* end = text.data() + text.size();
    if (text.size() != digits
        || std::from_chars(text.data(), end, value, 16).ptr != end
        || text.empty())
      return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

  void control() {
    if (rest_.empty() || !is_letter(rest_.front()))
      return refuse("\\c wants a letter");
    const auto letter = static_cast<unsigned>(rest_.front());
    rest_.remove_prefix(1);
    literal(letter % 32);
  }

  void named_reference() {
    const auto end = rest_.find('>');
    if (!rest_.starts_with('<') || end == rest_.npos)
      return unknown('k');
    rest_.remove_prefix(end + 1);
    beyond("referring to what a group matched", "(?:)");
  }

  void back_reference() {
    while (!rest_.empty() && is_digit(rest_.front()))
      rest_.remove_prefix(1);
    beyond("referring to what a group matched", "(?:)");
  }

  void literal(std::optional<unsigned> character) {
    if (!character || *character > 0x10FFFF
        || (0xD800 <= *character && *character <= 0xDFFF))
      return refuse("an escape names no character");
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\x{%x}", *character);
    add(text.data());
  }

  void unknown(char letter) {
    refuse(std::string{"the escape \\"} + letter + " is unknown");
  }

  void beyond(const char* what, const char* instead) {
    if (approximate_)
      add(instead);
    else
      refuse(std::string{what} + " is not supported");
  }

  void add(std::string_view text) { out_ += text; }

  void copy() {
    const auto length = std::max<std::size_t>(utf8_length(rest_), 1);
    out_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token))
      return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void refuse(std::string why) { wrong_ = std::move(why); }

  std::string_view rest_;
  bool approximate_;
  bool in_class_ = false;
  std::string out_;
  std::string wrong_;
};

} // namespace

tl::expected<std::string, std::string> re2_of_ecma(std::string_view pattern,
                                                   beyond_re2 what) {
  return translation{pattern, what}.run();
}

} // namespace turnstile::draft7
