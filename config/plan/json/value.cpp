#include "config/plan/json/value.hpp"

#include "config/plan/text/quote.hpp"

#include <algorithm>
#include <cstddef>

namespace turnstile::config {

namespace {

// Whether `key` can stand in a path as it is; quotes cut what is too long.
bool is_bare(std::string_view key) {
  constexpr std::size_t max_characters = 60;
  constexpr std::string_view allowed =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$";
  return !key.empty() && key.size() <= max_characters
         && key.find_first_not_of(allowed) == key.npos;
}

} // namespace

std::string compact_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool inside_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inside_string && c == '\\')
      out += json[i++];
    else if (c == '"')
      inside_string = !inside_string;
    else if (!inside_string
             && (c == ' ' || c == '\t' || c == '\n' || c == '\r'))
      continue;
    out += json[i];
  }
  return out;
}

std::string member_path(std::string_view path, std::string_view key) {
  std::string out{path};
  if (!is_bare(key))
    return out + '[' + in_quotes(key) + ']';
  if (!out.empty())
    out += '.';
  return out.append(key);
}

std::string element_path(std::string_view path, std::size_t index) {
  return std::string{path} + '[' + std::to_string(index) + ']';
}

} // namespace turnstile::config
