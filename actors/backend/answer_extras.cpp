#include "actors/backend/answer_extras.hpp"

#include "messages/json.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile {

namespace {

// The extras, and which fields of a result they fill.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> extras{{
  {"_usage", "tokens_used"},
  {"_findings", "findings"},
  {"_artifacts", "artifacts"},
  {"_thread", "thread_id"},
}};

bool take_extra(const json_member& member, wire::AgentResult& result) {
  for (const auto& [name, field] : extras) {
    if (member.name != name)
      continue;
    wire::AgentResult read;
    if (!from_json(json_object({{std::string{field}, member.value}}), read))
      return false;
    result.MergeFrom(read);
    return true;
  }
  return false;
}

} // namespace

std::string take_extras(std::string json, wire::AgentResult& result) {
  auto members = json_members(json);
  if (!members)
    return json; // no object
  const auto taken = std::erase_if(*members, [&](const json_member& member) {
    return take_extra(member, result);
  });
  return taken == 0 ? json : json_object(*members);
}

} // namespace turnstile
