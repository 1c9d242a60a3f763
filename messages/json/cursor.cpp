#include "messages/json/cursor.hpp"

#include "messages/utf8.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

namespace turnstile::detail {

void json_cursor::skip_space() noexcept {
  auto next = text_.find_first_not_of(" \t\n\r", offset_);
  offset_ = next == std::string_view::npos ? text_.size() : next;
}

bool json_cursor::at(std::string_view token) noexcept {
  skip_space();
  return text_.substr(offset_).starts_with(token);
}

bool json_cursor::take(std::string_view token) noexcept {
  if (!at(token))
    return false;
  offset_ += token.size();
  return true;
}

bool json_cursor::at_end() noexcept {
  skip_space();
  return offset_ == text_.size();
}

result<std::string> json_cursor::take_string() {
  if (!at("\""))
    return refuse("a string is wanted");
  auto begin = offset_++;
  std::string out;
  auto give_up = [&](std::string sentence) {
    auto why = refuse(std::move(sentence));
    offset_ = begin;
    return why;
  };
  while (offset_ < text_.size() && text_[offset_] != '"') {
    auto c = static_cast<unsigned char>(text_[offset_]);
    auto length = utf8_length(text_.substr(offset_));
    if (length == 0)
      return give_up("this is not UTF-8");
    if (c < 0x20)
      return give_up("a control character must be escaped");
    if (c == '\\') {
      if (auto done = take_escape(out); !done) {
        offset_ = begin;
        return fail(done.error());
      }
    } else {
      out += text_.substr(offset_, length);
      offset_ += length;
    }
  }
  if (offset_ == text_.size())
    return give_up("the string does not end");
  ++offset_;
  return out;
}

status json_cursor::take_escape(std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  auto letter = text_.substr(offset_ + 1, 1);
  if (auto at = letters.find(letter); !letter.empty() && at != letters.npos) {
    out += meanings[at];
    offset_ += 2;
    return {};
  }
  auto character = take_hex();
  if (!character)
    return fail(character.error());
  if (0xD800 <= *character && *character < 0xDC00) {
    auto low = take_hex(); // The second half of a character above U+FFFF.
    if (!low)
      return fail(low.error());
    if (*low < 0xDC00 || *low > 0xDFFF)
      return refuse("half a character stands before this");
    *character = 0x10000 + ((*character - 0xD800) << 10) + (*low - 0xDC00);
  } else if (0xDC00 <= *character && *character < 0xE000) {
    return refuse("half a character stands before this");
  }
  append_utf8(out, *character);
  return {};
}

result<char32_t> json_cursor::take_hex() {
  auto escape = text_.substr(offset_, 6);
  std::uint32_t value = 0;
  if (escape.size() == 6 && escape.starts_with("\\u")) {
    auto end = escape.data() + 6;
    if (std::from_chars(escape.data() + 2, end, value, 16).ptr == end) {
      offset_ += 6;
      return static_cast<char32_t>(value);
    }
  }
  return refuse("this is no escape");
}

std::size_t json_cursor::take_digits() noexcept {
  auto begin = offset_;
  while (offset_ < text_.size() && '0' <= text_[offset_]
         && text_[offset_] <= '9')
    ++offset_;
  return offset_ - begin;
}

result<std::string_view> json_cursor::take_number() {
  skip_space();
  auto begin = offset_;
  auto take_one_of = [&](std::string_view letters) {
    auto there =
      offset_ < text_.size() && letters.find(text_[offset_]) != letters.npos;
    offset_ += there ? 1 : 0;
    return there;
  };
  take_one_of("-");
  auto leads = text_.substr(offset_, 1);
  auto whole = take_digits();
  auto good = whole == 1 || (whole > 1 && leads != "0");
  if (good && take_one_of("."))
    good = take_digits() > 0;
  if (good && take_one_of("eE")) {
    take_one_of("+-");
    good = take_digits() > 0;
  }
  auto number = text_.substr(begin, offset_ - begin);
  if (good)
    return number;
  offset_ = begin;
  return refuse("a number is wanted");
}

status json_cursor::take_raw_string(std::string& out) {
  skip_space();
  const auto begin = offset_;
  if (auto text = take_string(); !text)
    return fail(text.error());
  out += text_.substr(begin, offset_ - begin);
  return {};
}

status json_cursor::take_value(std::string& out, int max_depth) {
  if (max_depth == 0)
    return refuse("this is nested too deep");
  if (at("{") || at("["))
    return take_members(out, max_depth);
  if (at("\""))
    return take_raw_string(out);
  const auto begin = offset_;
  if (!take("true") && !take("false") && !take("null") && !take_number())
    return refuse("a JSON value is wanted");
  out += text_.substr(begin, offset_ - begin);
  return {};
}

status json_cursor::take_members(std::string& out, int max_depth) {
  const bool object = take("{");
  const std::string end = object ? "}" : "]";
  out += object || !take("[") ? '{' : '[';
  if (!take(end)) {
    for (bool more = true; more;) {
      if (object) {
        if (auto name = take_raw_string(out); !name)
          return name;
        if (!take(":"))
          return refuse("':' is wanted");
        out += ':';
      }
      if (auto value = take_value(out, max_depth - 1); !value)
        return value;
      more = take(",");
      if (more)
        out += ',';
    }
    if (!take(end))
      return refuse("',' or '" + end + "' is wanted");
  }
  out += end;
  return {};
}

tl::unexpected<failure> json_cursor::refuse(std::string sentence) const {
  return fail(errc::invalid_argument,
              std::move(sentence) + " (byte " + std::to_string(offset_) + ')');
}

std::optional<json_cursor> find_member(json_cursor here,
                                       std::string_view name) {
  if (!here.take("{"))
    return std::nullopt;
  do {
    auto member = here.take_string();
    if (!member || !here.take(":"))
      return std::nullopt;
    if (*member == name)
      return here;
    std::string passed;
    if (!here.take_value(passed))
      return std::nullopt;
  } while (here.take(","));
  return std::nullopt;
}

} // namespace turnstile::detail
