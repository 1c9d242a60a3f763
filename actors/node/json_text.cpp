#include "actors/node/json_text.hpp"

#include "actors/process/decode_output.hpp"

#include <cstddef>
#include <utility>

namespace turnstile::node {

json read_json(const std::string& text) {
  if (text.empty())
    return nullptr;
  if (text.find('\0') != text.npos) // where the library would stop reading
    return text;
  // The library reads any depth, but writes with one call per level.
  auto too_deep = false;
  auto value = json::parse(
    text,
    [&](int depth, json::parse_event_t, json&) {
      too_deep |= static_cast<std::size_t>(depth) > max_json_depth;
      return true;
    },
    false);
  return value.is_discarded() || too_deep ? json(text) : std::move(value);
}

std::string write_json(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

} // namespace turnstile::node
