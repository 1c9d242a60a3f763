#include "actors/process/decode_output.hpp"

#include "actors/process/raw_text.hpp"

#include <nlohmann/json.hpp>

namespace turnstile {

namespace {

constexpr auto byte_order_mark = std::string_view{"\xEF\xBB\xBF"};

// Counts brackets outside of strings. Says nothing about whether they match.
bool too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > max_json_depth)
      return true;
    else if (!in_string && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

// The library takes a NUL byte for the end of its input, so it would accept
// whatever follows one, and it leaves out a byte order mark in front.
bool is_json(std::string_view text) {
  return text.find('\0') == std::string_view::npos && !too_deep(text)
         && !text.starts_with(byte_order_mark) && nlohmann::json::accept(text);
}

} // namespace

decoded_output decode_output(std::string_view bytes, bool cut) {
  auto mended = mend(cut ? without_cut_end(bytes) : bytes);
  auto out = decoded_output{std::move(mended.text), mended.replaced, false};
  if (cut)
    return out;
  auto value = std::string_view{out.text};
  if (value.starts_with(byte_order_mark))
    value.remove_prefix(byte_order_mark.size());
  out.is_json = is_json(value);
  if (out.is_json)
    out.text.erase(0, out.text.size() - value.size());
  else if (out.text.ends_with('\n'))
    out.text.pop_back();
  return out;
}

} // namespace turnstile
