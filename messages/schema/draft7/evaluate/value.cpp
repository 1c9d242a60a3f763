#include "messages/schema/draft7/evaluate/evaluator.hpp"
#include "messages/schema/draft7/json/excerpt.hpp"
#include "messages/schema/draft7/json/number.hpp"
#include "messages/schema/draft7/json/order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace turnstile::draft7 {

namespace {

using nlohmann::json;

std::uint8_t types_of(const json& value) {
  switch (value.type()) {
  case json::value_t::null:
    return is_null;
  case json::value_t::boolean:
    return is_boolean;
  case json::value_t::string:
    return is_string;
  case json::value_t::array:
    return is_array;
  case json::value_t::object:
    return is_object;
  default:
    return is_whole(value) ? is_number | is_integer : is_number;
  }
}

std::string names_of(std::uint8_t types) {
  constexpr auto names = std::to_array<std::pair<type_bit, const char*>>({
    {is_null, "null"},
    {is_boolean, "a boolean"},
    {is_integer, "an integer"},
    {is_number, "a number"},
    {is_string, "a string"},
    {is_array, "an array"},
    {is_object, "an object"},
  });
  std::string out;
  for (const auto& [type, name] : names)
    if ((types & type) != 0)
      out.append(out.empty() ? "" : " or ").append(name);
  return out;
}

std::string excerpts(const json& options) {
  constexpr std::size_t enough = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(options.size(), enough); ++i)
    out.append(i == 0 ? "" : ", ").append(excerpt(options[i]));
  return options.size() > enough ? out + ", ..." : out;
}

} // namespace

bool evaluator::check_value(const value_rules& rules, const json& value,
                            const place& at) {
  if (rules.types != 0 && (rules.types & types_of(value)) == 0)
    return violated(at, [&] {
      return "wants " + names_of(rules.types) + ", is " + excerpt(value);
    });
  bool holds = true;
  if (rules.constant != nullptr && compare(*rules.constant, value, means_) != 0)
    holds = violated(at, [&] {
      return "wants " + excerpt(*rules.constant) + ", is " + excerpt(value)
             + (value.is_structured() ? " that differs" : "");
    });
  if (rules.options != nullptr
      && std::none_of(rules.options->begin(), rules.options->end(),
                      [&](const json& option) {
                        return compare(option, value, means_) == 0;
                      }))
    holds = violated(at, [&] {
      return "wants one of " + excerpts(*rules.options) + ", is "
             + excerpt(value);
    });
  return holds;
}

} // namespace turnstile::draft7
