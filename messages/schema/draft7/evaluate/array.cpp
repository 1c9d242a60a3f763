#include "messages/schema/draft7/evaluate/amount.hpp"
#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"
#include "messages/schema/draft7/json/order.hpp"

#include <set>

namespace turnstile::draft7 {

bool evaluator::check_array(const array_rules& rules, const json& value,
                            const place& at) {
  const auto amount = complaint_about_amount(value.size(), rules.min_items,
                                             rules.max_items, "items");
  bool holds = amount.empty() || violated(at, [&] { return amount; });
  for (std::size_t i = 0; i < value.size() && (holds || is_curious()); ++i) {
    const auto* schema = rules.first.empty()      ? rules.each
                         : i < rules.first.size() ? rules.first[i]
                                                  : rules.rest;
    if (schema == nullptr)
      break; // So it is for all that follow.
    holds = check(*schema, value[i], place{at, i}) && holds;
  }
  if (rules.unique && (holds || is_curious()))
    holds = check_unique(value, at) && holds;
  if (rules.contains != nullptr && (holds || is_curious()))
    holds = check_contains(*rules.contains, value, at) && holds;
  return holds;
}

bool evaluator::check_unique(const json& value, const place& at) {
  const auto is_before = [&](const json* a, const json* b) {
    return compare(*a, *b, means_) < 0;
  };
  std::set<const json*, decltype(is_before)> seen{is_before};
  for (const auto& item : value)
    if (!seen.insert(&item).second)
      return violated(at, [&] {
        return "wants no item twice, has two that are " + excerpt(item);
      });
  return true;
}

bool evaluator::check_contains(const schema_node& schema, const json& value,
                               const place& at) {
  for (std::size_t i = 0; i < value.size(); ++i)
    if (is_match(schema, value[i], place{at, i}))
      return true;
  return violated(at, [&] {
    return value.empty()
             ? std::string{"wants an item that matches \"contains\", is empty"}
             : std::string{"wants an item that matches \"contains\", has none"};
  });
}

} // namespace turnstile::draft7
