#include "messages/schema/draft7/evaluate/evaluator.hpp"

namespace turnstile::draft7 {

bool evaluator::check(const schema_node& schema, const json& value,
                      const place& at) {
  const auto* node = &schema;
  while (node->ref != nullptr && means_.spend())
    node = node->ref; // There are no loops of these.
  if (depth_ == max_depth)
    means_.give_up("it leads more than 1024 schemas deep");
  if (!means_.spend())
    return false;
  if (node->refuses_all)
    return violated(at, [] { return std::string{"nothing may be here"}; });
  ++depth_;
  const bool holds = check_rules(*node, value, at);
  --depth_;
  return holds;
}

bool evaluator::check_rules(const schema_node& schema, const json& value,
                            const place& at) {
  bool holds = check_value(schema.value, value, at);
  const auto goes_on = [&] { return holds || is_curious(); };
  if (schema.number && value.is_number() && goes_on())
    holds = check_number(*schema.number, value, at) && holds;
  if (schema.string && value.is_string() && goes_on())
    holds =
      check_string(*schema.string, value.get_ref<const std::string&>(), at)
      && holds;
  if (schema.array && value.is_array() && goes_on())
    holds = check_array(*schema.array, value, at) && holds;
  if (schema.object && value.is_object() && goes_on())
    holds = check_object(*schema.object, value, at) && holds;
  if (schema.combined && goes_on())
    holds = check_combined(*schema.combined, value, at) && holds;
  return holds;
}

bool evaluator::is_match(const schema_node& schema, const json& value,
                         const place& at) {
  return evaluator{means_, 0, depth_}.check(schema, value, at);
}

} // namespace turnstile::draft7
