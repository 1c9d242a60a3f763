#pragma once

#include "messages/schema/draft7/json/place.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace turnstile::draft7 {

/// Where a keyword holds schemas.
enum class holds_schemas {
  none,
  one,
  list,
  members,
  one_or_list,    ///< `items`
  some_of_members ///< `dependencies`: the others are lists of names.
};

inline holds_schemas held_by(std::string_view keyword) {
  using enum holds_schemas;
  for (const std::string_view known :
       {"additionalItems", "additionalProperties", "contains", "else", "if",
        "not", "propertyNames", "then"})
    if (keyword == known)
      return one;
  for (const std::string_view known : {"allOf", "anyOf", "oneOf"})
    if (keyword == known)
      return list;
  for (const std::string_view known :
       {"definitions", "patternProperties", "properties"})
    if (keyword == known)
      return members;
  return keyword == "items"          ? one_or_list
         : keyword == "dependencies" ? some_of_members
                                     : none;
}

/// Calls `f(subschema, its place)` for each schema directly inside `schema`,
/// which is an object that matches the meta-schema.
template <class F>
void for_each_subschema(const nlohmann::json& schema, const place& at, F f) {
  for (const auto& [keyword, held] : schema.items()) {
    const place here{at, keyword};
    const auto is_schema = held.is_object() || held.is_boolean();
    switch (held_by(keyword)) {
    case holds_schemas::none:
      break;
    case holds_schemas::one:
      f(held, here);
      break;
    case holds_schemas::list:
    case holds_schemas::one_or_list:
      if (is_schema)
        f(held, here);
      else
        for (std::size_t i = 0; i < held.size(); ++i)
          f(held[i], place{here, i});
      break;
    case holds_schemas::members:
    case holds_schemas::some_of_members:
      for (const auto& [name, one] : held.items())
        if (!one.is_array())
          f(one, place{here, name});
      break;
    }
  }
}

} // namespace turnstile::draft7
