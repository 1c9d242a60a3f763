#pragma once

#include "messages/schema/draft7/effort.hpp"
#include "messages/schema/draft7/json/place.hpp"
#include "messages/schema/draft7/node.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace turnstile::draft7 {

/// One way in which a value differs from its schema.
struct violation {
  std::string place; ///< "at /a/0"
  std::string what;  ///< "wants a string, is 5"
};

/// Asks schemas about values and keeps what is violated, if somebody wants to
/// know. Recursive, but never deeper than `max_depth` schemas, whatever they
/// are.
class evaluator {
public:
  /// Keeps so many violations; with none it stops at the first.
  evaluator(effort& means, std::size_t max_violations, std::size_t depth = 0)
    : means_{means}, max_violations_{max_violations}, depth_{depth} {}

  /// Whether `value` matches; means nothing once `means` have given up.
  bool check(const schema_node& schema, const nlohmann::json& value,
             const place& at);

  [[nodiscard]] const std::vector<violation>& violations() const {
    return violations_;
  }

private:
  using json = nlohmann::json;

  static constexpr std::size_t max_depth = 1024;

  // A part of the check. All that are violated are found, until enough are.
  bool check_rules(const schema_node& schema, const json& value,
                   const place& at);
  bool check_value(const value_rules& rules, const json& value,
                   const place& at);
  bool check_number(const number_rules& rules, const json& value,
                    const place& at);
  bool check_string(const string_rules& rules, const std::string& text,
                    const place& at);
  bool check_array(const array_rules& rules, const json& value,
                   const place& at);
  bool check_unique(const json& value, const place& at);
  bool check_contains(const schema_node& schema, const json& value,
                      const place& at);
  bool check_object(const object_rules& rules, const json& value,
                    const place& at);
  bool check_member(const object_rules& rules, const std::string& name,
                    const json& value, const place& at);
  bool check_name(const schema_node& schema, const std::string& name,
                  const place& at);
  bool check_dependency(const dependency& rule, const json& value,
                        const place& at);
  bool check_combined(const combined_rules& rules, const json& value,
                      const place& at);
  bool check_any_of(const std::vector<const schema_node*>& schemas,
                    const json& value, const place& at);
  bool check_one_of(const std::vector<const schema_node*>& schemas,
                    const json& value, const place& at);

  // Whether it matches, without a word.
  bool is_match(const schema_node& schema, const json& value, const place& at);

  // Why none of these matches, as far as it is worth telling.
  std::string reasons(const std::vector<const schema_node*>& schemas,
                      const json& value, const place& at);

  // Whether more violations are wanted.
  [[nodiscard]] bool is_curious() const {
    return violations_.size() < max_violations_ && !means_.gave_up();
  }

  // Notes a violation; `what` is called if it is wanted. Returns false.
  template <class What>
  bool violated(const place& at, What what) {
    if (is_curious())
      violations_.push_back({at.text(), what()});
    return false;
  }

  effort& means_;
  std::size_t max_violations_;
  std::size_t depth_;
  std::vector<violation> violations_;
};

} // namespace turnstile::draft7
