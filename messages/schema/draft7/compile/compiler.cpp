#include "messages/schema/draft7/compile/compiler.hpp"

#include "messages/schema/draft7/compile/subschemas.hpp"
#include "messages/schema/draft7/json/number.hpp"

#include <limits>

namespace turnstile::draft7 {

namespace {

// The rules of one kind of value, made when its first keyword comes.
template <class Rules>
Rules& made(std::unique_ptr<Rules>& rules) {
  if (!rules)
    rules = std::make_unique<Rules>();
  return *rules;
}

// A whole number of 0 or more, which may be written 2.0 or 1e300.
std::uint64_t count_of(const nlohmann::json& number) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  if (compare_numbers(number, most) > 0)
    return most;
  return number.is_number_float()
           ? static_cast<std::uint64_t>(number.get<double>())
           : number.get<std::uint64_t>();
}

std::uint8_t type_of(std::string_view name) {
  return name == "null"      ? is_null
         : name == "boolean" ? is_boolean
         : name == "integer" ? is_integer
         : name == "number"  ? is_number
         : name == "string"  ? is_string
         : name == "array"   ? is_array
                             : is_object;
}

std::uint8_t types_of(const nlohmann::json& value) {
  if (value.is_string())
    return type_of(value.get_ref<const std::string&>());
  std::uint8_t out = 0;
  for (const auto& one : value)
    out |= type_of(one.get_ref<const std::string&>());
  return out;
}

} // namespace

const schema_node* compiler::add(const json& schema, const place& at) {
  auto& node = *node_for(schema);
  if (!added_.insert(&schema).second)
    return &node;
  if (schema.is_boolean()) {
    node.refuses_all = !schema.get<bool>();
    return &node;
  }
  if (schema.contains("$ref")) { // Nothing beside it counts, but may be named.
    refer(node, schema, at);
    for_each_subschema(schema, at, [&](const json& inner, const place& where) {
      add(inner, where);
    });
    return &node;
  }
  for (const auto& [keyword, value] : schema.items())
    if (wrong_.empty())
      add_keyword(node, keyword, value, place{at, keyword});
  return &node;
}

void compiler::add_keyword(schema_node& node, std::string_view keyword,
                           const json& value, const place& at) {
  if (keyword == "type")
    node.value.types = types_of(value);
  else if (keyword == "const")
    node.value.constant = &value;
  else if (keyword == "enum")
    node.value.options = &value;
  else if (keyword == "definitions")
    for (const auto& [name, one] : value.items())
      add(one, place{at, name});
  else if (!add_number_keyword(node, keyword, value)
           && !add_string_keyword(node, keyword, value, at)
           && !add_array_keyword(node, keyword, value, at)
           && !add_object_keyword(node, keyword, value, at))
    add_combined_keyword(node, keyword, value, at);
}

bool compiler::add_number_keyword(schema_node& node, std::string_view keyword,
                                  const json& value) {
  if (keyword == "minimum")
    made(node.number).minimum = &value;
  else if (keyword == "maximum")
    made(node.number).maximum = &value;
  else if (keyword == "exclusiveMinimum")
    made(node.number).exclusive_minimum = &value;
  else if (keyword == "exclusiveMaximum")
    made(node.number).exclusive_maximum = &value;
  else if (keyword == "multipleOf")
    made(node.number).multiple_of = &value;
  else
    return false;
  return true;
}

bool compiler::add_string_keyword(schema_node& node, std::string_view keyword,
                                  const json& value, const place& at) {
  if (keyword == "minLength") {
    made(node.string).min_length = count_of(value);
  } else if (keyword == "maxLength") {
    made(node.string).max_length = count_of(value);
  } else if (keyword == "pattern") {
    made(node.string).has =
      compile_pattern(value.get_ref<const std::string&>(), at);
  } else if (keyword == "format") {
    auto& rules = made(node.string);
    rules.format_name = value.get_ref<const std::string&>();
    rules.format = find_format(rules.format_name);
  } else {
    return false;
  }
  return true;
}

bool compiler::add_array_keyword(schema_node& node, std::string_view keyword,
                                 const json& value, const place& at) {
  if (keyword == "minItems")
    made(node.array).min_items = count_of(value);
  else if (keyword == "maxItems")
    made(node.array).max_items = count_of(value);
  else if (keyword == "uniqueItems")
    made(node.array).unique = value.get<bool>();
  else if (keyword == "contains")
    made(node.array).contains = add(value, at);
  else if (keyword == "items" && value.is_array())
    made(node.array).first = add_list(value, at);
  else if (keyword == "items")
    made(node.array).each = add(value, at);
  else if (keyword == "additionalItems")
    made(node.array).rest = add(value, at);
  else
    return false;
  return true;
}

bool compiler::add_object_keyword(schema_node& node, std::string_view keyword,
                                  const json& value, const place& at) {
  if (keyword == "minProperties") {
    made(node.object).min_properties = count_of(value);
  } else if (keyword == "maxProperties") {
    made(node.object).max_properties = count_of(value);
  } else if (keyword == "required") {
    made(node.object).required = value.get<std::vector<std::string>>();
  } else if (keyword == "additionalProperties") {
    made(node.object).others = add(value, at);
  } else if (keyword == "propertyNames") {
    made(node.object).names = add(value, at);
  } else if (keyword == "properties") {
    for (const auto& [name, one] : value.items())
      made(node.object).properties.emplace(name, add(one, place{at, name}));
  } else if (keyword == "patternProperties") {
    for (const auto& [text, one] : value.items())
      if (auto found = compile_pattern(text, place{at, text}))
        made(node.object)
          .by_pattern.emplace_back(std::move(*found),
                                   add(one, place{at, text}));
  } else if (keyword == "dependencies") {
    for (const auto& [name, one] : value.items())
      made(node.object)
        .dependencies.push_back(dependency_on(name, one, place{at, name}));
  } else {
    return false;
  }
  return true;
}

bool compiler::add_combined_keyword(schema_node& node, std::string_view keyword,
                                    const json& value, const place& at) {
  if (keyword == "allOf")
    made(node.combined).all_of = add_list(value, at);
  else if (keyword == "anyOf")
    made(node.combined).any_of = add_list(value, at);
  else if (keyword == "oneOf")
    made(node.combined).one_of = add_list(value, at);
  else if (keyword == "not")
    made(node.combined).none_of = add(value, at);
  else if (keyword == "if")
    made(node.combined).condition = add(value, at);
  else if (keyword == "then")
    made(node.combined).then = add(value, at);
  else if (keyword == "else")
    made(node.combined).otherwise = add(value, at);
  else
    return false;
  return true;
}

std::vector<const schema_node*> compiler::add_list(const json& list,
                                                   const place& at) {
  std::vector<const schema_node*> out;
  for (std::size_t i = 0; i < list.size(); ++i)
    out.push_back(add(list[i], place{at, i}));
  return out;
}

dependency compiler::dependency_on(const std::string& member, const json& value,
                                   const place& at) {
  if (value.is_array())
    return {member, value.get<std::vector<std::string>>(), nullptr};
  return {member, {}, add(value, at)};
}

std::optional<pattern> compiler::compile_pattern(std::string_view text,
                                                 const place& at) {
  auto made = pattern::compile(text, room_);
  if (made)
    return std::move(*made);
  refuse(at.text(),
         "this is no pattern that can be used here: " + made.error());
  return std::nullopt;
}

} // namespace turnstile::draft7
