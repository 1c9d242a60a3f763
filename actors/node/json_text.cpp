#include "actors/node/json_text.hpp"

namespace turnstile::node {

namespace {

// The library reads any depth, but writes with one call per level.
constexpr int max_depth = 1024;

} // namespace

json read_json(const std::string& text) {
  if (text.empty())
    return nullptr;
  if (text.find('\0') != text.npos) // where the library would stop reading
    return text;
  auto too_deep = false;
  auto value = json::parse(
    text,
    [&](int depth, json::parse_event_t, json&) {
      too_deep |= depth > max_depth;
      return true;
    },
    false);
  return value.is_discarded() || too_deep ? json(text) : value;
}

std::string write_json(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

} // namespace turnstile::node
