#include "messages/schema/draft7/json/number.hpp"

#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"

namespace turnstile::draft7 {

bool evaluator::check_number(const number_rules& rules, const json& value,
                             const place& at) {
  bool holds = true;
  const auto want = [&](const json* limit, const char* what, auto is_fine) {
    if (limit != nullptr && !is_fine(*limit))
      holds = violated(at, [&] {
        return "wants " + (what + excerpt(*limit)) + ", is " + excerpt(value);
      });
  };
  want(rules.minimum, "at least ",
       [&](auto& limit) { return compare_numbers(value, limit) >= 0; });
  want(rules.maximum, "at most ",
       [&](auto& limit) { return compare_numbers(value, limit) <= 0; });
  want(rules.exclusive_minimum, "more than ",
       [&](auto& limit) { return compare_numbers(value, limit) > 0; });
  want(rules.exclusive_maximum, "less than ",
       [&](auto& limit) { return compare_numbers(value, limit) < 0; });
  want(rules.multiple_of, "a multiple of ",
       [&](auto& limit) { return is_multiple(value, limit); });
  return holds;
}

} // namespace turnstile::draft7
