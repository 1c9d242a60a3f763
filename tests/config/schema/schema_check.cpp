#include "tests/config/schema/schema_check.hpp"

#include "config/plan/text/utf8.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>

namespace turnstile::config {

namespace {

using nlohmann::json;

constexpr auto fine = "fine";

std::wstring wide(const std::string& text) {
  const auto characters = characters_of(text);
  return {characters.begin(), characters.end()};
}

bool is_integer(const json& value) {
  return value.is_number_integer()
         || (value.is_number_float()
             && value.get<double>() == static_cast<double>(value.get<long>()));
}

bool has_type(const std::string& type, const json& value) {
  return (type == "object" && value.is_object())
         || (type == "array" && value.is_array())
         || (type == "string" && value.is_string())
         || (type == "boolean" && value.is_boolean())
         || (type == "null" && value.is_null())
         || (type == "number" && value.is_number())
         || (type == "integer" && is_integer(value));
}

class checker {
public:
  explicit checker(const json& root) : root_(root) {}

  std::string complaint(const json& schema, const json& value,
                        const std::string& path) const {
    if (schema.is_boolean())
      return schema.get<bool>() ? fine : path + ": nothing may be here";
    if (schema.contains("$ref"))
      return complaint(referred(schema), value, path);
    for (const auto& [keyword, rule] : schema.items()) {
      const auto known = rules().find(keyword);
      if (known == rules().end())
        throw std::invalid_argument{"unknown keyword " + keyword};
      if (auto said = known->second(*this, schema, value, path); said != fine)
        return said;
    }
    return fine;
  }

private:
  using check = std::function<std::string(const checker&, const json& schema,
                                          const json&, const std::string&)>;

  // Draft 7 ignores what stands beside a $ref, so nothing may.
  [[nodiscard]] const json& referred(const json& schema) const {
    if (schema.size() != 1)
      throw std::invalid_argument{"something beside a $ref"};
    const auto way = schema["$ref"].get<std::string>();
    return root_.at(json::json_pointer{way.substr(way.find('#') + 1)});
  }

  [[nodiscard]] bool is_fine(const json& schema, const json& value) const {
    return complaint(schema, value, "") == fine;
  }

  [[nodiscard]] std::size_t count_fine(const json& schemas,
                                       const json& value) const {
    return static_cast<std::size_t>(
      std::count_if(schemas.begin(), schemas.end(),
                    [&](auto& one) { return is_fine(one, value); }));
  }

  std::string members(const json& schema, const json& value,
                      const std::string& path) const {
    if (!value.is_object())
      return fine;
    for (const auto& [key, member] : value.items()) {
      const auto named = schema.contains("propertyNames")
                           ? complaint(schema["propertyNames"], key, path)
                           : fine;
      if (named != fine)
        return named;
      const auto way = path + '.' + key;
      const auto known = schema.value("properties", json::object());
      const auto said =
        known.contains(key) ? complaint(known[key], member, way)
        : schema.contains("additionalProperties")
          ? complaint(schema["additionalProperties"], member, way)
          : fine;
      if (said != fine)
        return said;
    }
    return fine;
  }

  std::string elements(const json& schema, const json& value,
                       const std::string& path) const {
    if (!value.is_array())
      return fine;
    const auto& items = schema["items"];
    for (std::size_t i = 0; i < value.size(); ++i) {
      const auto& rule = items.is_object()  ? items
                         : i < items.size() ? items[i]
                                            : schema["additionalItems"];
      const auto said =
        complaint(rule, value[i], path + '[' + std::to_string(i) + ']');
      if (said != fine)
        return said;
    }
    return fine;
  }

  // A rule that is one question, asked of values of one type.
  static check asks(const char* keyword, std::function<bool(const json&)> about,
                    std::function<bool(const json&, const json&)> holds) {
    return [=](auto&, auto& schema, auto& value, auto& path) -> std::string {
      return !about(value) || holds(schema[keyword], value)
               ? fine
               : path + ": " + keyword + ' ' + schema[keyword].dump();
    };
  }

  static const std::map<std::string, check>& rules() {
    const auto any = [](auto&) { return true; };
    const auto text = [](auto& value) { return value.is_string(); };
    const auto number = [](auto& value) { return value.is_number(); };
    const auto array = [](auto& value) { return value.is_array(); };
    const auto object = [](auto& value) { return value.is_object(); };
    const auto skip = [](auto&&...) { return std::string{fine}; };
    static const std::map<std::string, check> all = {
      {"$schema", skip},
      {"title", skip},
      {"description", skip},
      {"default", skip},
      {"examples", skip},
      {"definitions", skip},
      {"type", asks("type", any, has_type)},
      {"const", asks("const", any, std::equal_to<>{})},
      {"enum", asks("enum", any,
                    [](auto& words, auto& value) {
                      return std::find(words.begin(), words.end(), value)
                             != words.end();
                    })},
      {"pattern",
       asks("pattern", text,
            [](auto& pattern, auto& value) {
              return std::regex_search(
                wide(value.template get<std::string>()),
                std::wregex{wide(pattern.template get<std::string>())});
            })},
      {"maxLength", asks("maxLength", text,
                         [](auto& most, auto& value) {
                           return wide(value.template get<std::string>()).size()
                                  <= most;
                         })},
      {"minimum",
       asks("minimum", number,
            [](auto& least, auto& value) { return value >= least; })},
      {"maximum", asks("maximum", number,
                       [](auto& most, auto& value) { return value <= most; })},
      {"minItems",
       asks("minItems", array,
            [](auto& least, auto& value) { return value.size() >= least; })},
      {"maxItems",
       asks("maxItems", array,
            [](auto& most, auto& value) { return value.size() <= most; })},
      {"minProperties",
       asks("minProperties", object,
            [](auto& least, auto& value) { return value.size() >= least; })},
      {"required", asks("required", object,
                        [](auto& keys, auto& value) {
                          return std::all_of(
                            keys.begin(), keys.end(),
                            [&](auto& key) { return value.contains(key); });
                        })},
      {"properties", &checker::members},
      {"propertyNames", &checker::members},
      {"additionalProperties", &checker::members},
      {"items", &checker::elements},
      {"additionalItems", skip}, // With items.
      {"allOf",
       [](auto& self, auto& schema, auto& value, auto& path) -> std::string {
         for (const auto& one : schema["allOf"])
           if (auto said = self.complaint(one, value, path); said != fine)
             return said;
         return fine;
       }},
      {"anyOf",
       [](auto& self, auto& schema, auto& value, auto& path) -> std::string {
         return self.count_fine(schema["anyOf"], value) > 0 ? fine
                                                            : path + ": anyOf";
       }},
      {"oneOf",
       [](auto& self, auto& schema, auto& value, auto& path) -> std::string {
         return self.count_fine(schema["oneOf"], value) == 1 ? fine
                                                             : path + ": oneOf";
       }},
      {"not",
       [](auto& self, auto& schema, auto& value, auto& path) -> std::string {
         return self.is_fine(schema["not"], value) ? path + ": not" : fine;
       }},
      {"if",
       [](auto& self, auto& schema, auto& value, auto& path) -> std::string {
         const auto* next = self.is_fine(schema["if"], value) ? "then" : "else";
         return self.complaint(schema[next], value, path);
       }},
      {"then", skip}, // With if.
      {"else", skip},
    };
    return all;
  }

  const json& root_;
};

} // namespace

std::string schema_complaint(const json& schema, const json& value) {
  return checker{schema}.complaint(schema, value, "");
}

} // namespace turnstile::config
