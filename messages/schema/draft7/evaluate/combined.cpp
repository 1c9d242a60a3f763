#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

#include <algorithm>

namespace turnstile::draft7 {

bool evaluator::check_combined(const combined_rules& rules, const json& value,
                               const place& at) {
  bool holds = true;
  const auto ask = [&](const schema_node* schema) {
    if (schema != nullptr && (holds || is_curious()))
      holds = check(*schema, value, at) && holds;
  };
  for (const auto* one : rules.all_of)
    ask(one);
  if (!rules.any_of.empty() && (holds || is_curious()))
    holds = check_any_of(rules.any_of, value, at) && holds;
  if (!rules.one_of.empty() && (holds || is_curious()))
    holds = check_one_of(rules.one_of, value, at) && holds;
  if (rules.none_of != nullptr && (holds || is_curious())
      && is_match(*rules.none_of, value, at))
    holds = violated(
      at, [&] { return excerpt(value) + " matches what \"not\" excludes"; });
  if (rules.condition != nullptr && (holds || is_curious()))
    ask(is_match(*rules.condition, value, at) ? rules.then : rules.otherwise);
  return holds;
}

bool evaluator::check_any_of(const std::vector<const schema_node*>& schemas,
                             const json& value, const place& at) {
  const auto matches = [&](auto* one) { return is_match(*one, value, at); };
  if (std::any_of(schemas.begin(), schemas.end(), matches))
    return true;
  return violated(at, [&] {
    return "matches none of \"anyOf\": " + reasons(schemas, value, at);
  });
}

bool evaluator::check_one_of(const std::vector<const schema_node*>& schemas,
                             const json& value, const place& at) {
  std::size_t count = 0;
  for (auto one = schemas.begin(); one != schemas.end() && count < 2; ++one)
    count += is_match(**one, value, at) ? 1 : 0;
  if (count == 1)
    return true;
  return violated(at, [&] {
    return count == 0
             ? "matches none of \"oneOf\": " + reasons(schemas, value, at)
             : std::string{"matches more than one of \"oneOf\""};
  });
}

// It asks a second time, which is paid for; only who fails tells reasons.
std::string evaluator::reasons(const std::vector<const schema_node*>& schemas,
                               const json& value, const place& at) {
  constexpr std::size_t enough = 3;
  constexpr std::size_t max_bytes = 400;
  const auto here = at.text();
  std::string out;
  for (std::size_t i = 0; i < schemas.size() && !means_.gave_up(); ++i) {
    if (i == enough)
      return shortened(out, max_bytes) + ", or else";
    evaluator one{means_, 1, depth_};
    one.check(*schemas[i], value, at);
    for (const auto& [where, what] : one.violations())
      out.append(i == 0 ? "" : ", or ")
        .append(where == here ? what : where + ": " + what);
  }
  return shortened(out, max_bytes);
}

} // namespace turnstile::draft7
