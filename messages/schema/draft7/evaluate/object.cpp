#include "messages/schema/draft7/evaluate/amount.hpp"
#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

namespace turnstile::draft7 {

bool evaluator::check_object(const object_rules& rules, const json& value,
                             const place& at) {
  const auto amount = complaint_about_amount(
    value.size(), rules.min_properties, rules.max_properties, "properties");
  bool holds = amount.empty() || violated(at, [&] { return amount; });
  const auto goes_on = [&] {
    return (holds || is_curious()) && means_.spend();
  };
  for (auto name = rules.required.begin();
       name != rules.required.end() && goes_on(); ++name)
    if (!value.contains(*name))
      holds = violated(at, [&] {
        return "the required property " + in_quotes(*name) + " is missing";
      });
  const bool asks_members = !rules.properties.empty()
                            || !rules.by_pattern.empty()
                            || rules.others != nullptr;
  for (auto member = value.begin(); member != value.end() && goes_on();
       ++member) {
    const place there{at, member.key()};
    if (rules.names != nullptr)
      holds = check_name(*rules.names, member.key(), at) && holds;
    if (asks_members)
      holds = check_member(rules, member.key(), *member, there) && holds;
  }
  for (auto rule = rules.dependencies.begin();
       rule != rules.dependencies.end() && goes_on(); ++rule)
    if (value.contains(rule->member))
      holds = check_dependency(*rule, value, at) && holds;
  return holds;
}

bool evaluator::check_member(const object_rules& rules, const std::string& name,
                             const json& value, const place& at) {
  bool holds = true;
  bool is_known = false;
  const auto ask = [&](const schema_node& schema) {
    is_known = true;
    if (holds || is_curious())
      holds = check(schema, value, at) && holds;
  };
  if (const auto it = rules.properties.find(name); it != rules.properties.end())
    ask(*it->second);
  for (const auto& [pattern, schema] : rules.by_pattern)
    if (pattern.is_in(name, means_))
      ask(*schema);
  if (is_known || rules.others == nullptr)
    return holds;
  if (rules.others->refuses_all)
    return violated(at,
                    [] { return std::string{"no such property may be here"}; });
  return check(*rules.others, value, at);
}

bool evaluator::check_name(const schema_node& schema, const std::string& name,
                           const place& at) {
  const json text = name;
  if (is_match(schema, text, at))
    return true;
  return violated(at, [&] {
    return "the name " + in_quotes(name)
           + " may not be used: " + reasons({&schema}, text, at);
  });
}

bool evaluator::check_dependency(const dependency& rule, const json& value,
                                 const place& at) {
  bool holds = true;
  for (const auto& name : rule.needs)
    if (means_.spend() && !value.contains(name))
      holds = violated(at, [&] {
        return "the property " + in_quotes(name) + " is missing, which "
               + in_quotes(rule.member) + " needs";
      });
  if (rule.schema != nullptr)
    holds = check(*rule.schema, value, at) && holds;
  return holds;
}

} // namespace turnstile::draft7
