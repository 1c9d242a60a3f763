#pragma once

#include "messages/schema/draft7/format/format.hpp"
#include "messages/schema/draft7/pattern/pattern.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A compiled schema: its keywords by the kind of value that they speak of. What
// is absent asks nothing. Pointers lead into the schema's own text and to other
// nodes of the same `program`, or of the meta-schema's.

namespace turnstile::draft7 {

struct schema_node;

/// Types as a set of bits, for `type`.
enum type_bit : std::uint8_t {
  is_null = 1,
  is_boolean = 2,
  is_integer = 4, ///< A number without a fraction.
  is_number = 8,
  is_string = 16,
  is_array = 32,
  is_object = 64,
};

/// What is asked of any value.
struct value_rules {
  std::uint8_t types = 0; ///< `type_bit`s, or 0: all are welcome.
  const nlohmann::json* constant = nullptr;
  const nlohmann::json* options = nullptr; ///< `enum`: an array.
};

struct number_rules {
  const nlohmann::json* minimum = nullptr;
  const nlohmann::json* maximum = nullptr;
  const nlohmann::json* exclusive_minimum = nullptr;
  const nlohmann::json* exclusive_maximum = nullptr;
  const nlohmann::json* multiple_of = nullptr;
};

struct string_rules {
  std::optional<std::uint64_t> min_length; ///< In code points.
  std::optional<std::uint64_t> max_length;
  std::optional<pattern> has;
  format_check format = nullptr;
  std::string format_name;
};

struct array_rules {
  std::optional<std::uint64_t> min_items;
  std::optional<std::uint64_t> max_items;
  bool unique = false;
  const schema_node* each = nullptr;     ///< `items` as one schema, or
  std::vector<const schema_node*> first; ///< as a list, and what comes after:
  const schema_node* rest = nullptr;     ///< `additionalItems`.
  const schema_node* contains = nullptr;
};

/// One entry of `dependencies`: if there is such a member, then ...
struct dependency {
  std::string member;
  std::vector<std::string> needs;      ///< ... so are these, or
  const schema_node* schema = nullptr; ///< the whole object matches this.
};

struct object_rules {
  std::optional<std::uint64_t> min_properties;
  std::optional<std::uint64_t> max_properties;
  std::vector<std::string> required;
  std::map<std::string, const schema_node*, std::less<>> properties;
  std::vector<std::pair<pattern, const schema_node*>> by_pattern;
  const schema_node* others = nullptr; ///< `additionalProperties`.
  const schema_node* names = nullptr;  ///< `propertyNames`.
  std::vector<dependency> dependencies;
};

/// What is asked of the same value by other schemas.
struct combined_rules {
  std::vector<const schema_node*> all_of;
  std::vector<const schema_node*> any_of;
  std::vector<const schema_node*> one_of;
  const schema_node* none_of = nullptr; ///< `not`.
  const schema_node* condition = nullptr;
  const schema_node* then = nullptr;
  const schema_node* otherwise = nullptr;
};

struct schema_node {
  bool refuses_all = false;         ///< The schema `false`.
  const schema_node* ref = nullptr; ///< Then this is all that counts.
  value_rules value;
  std::unique_ptr<number_rules> number;
  std::unique_ptr<string_rules> string;
  std::unique_ptr<array_rules> array;
  std::unique_ptr<object_rules> object;
  std::unique_ptr<combined_rules> combined;
};

} // namespace turnstile::draft7
