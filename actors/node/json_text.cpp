#include "actors/node/json_text.hpp"

namespace turnstile::node {

json read_json(const std::string& text) {
  auto value = json::parse(text.empty() ? "null" : text, nullptr, false);
  return value.is_discarded() ? json(text) : value;
}

std::string write_json(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

} // namespace turnstile::node
