#pragma once

#include "messages/schema/draft7/compile/address_book.hpp"
#include "messages/schema/draft7/compile/program.hpp"
#include "messages/schema/draft7/json/place.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace turnstile::draft7 {

/// Compiles one schema. Only `compile` uses it, once. What is wrong first is
/// kept as a sentence, and ends the work.
class compiler {
public:
  compiler(program& made, const program* meta) : made_{made}, meta_{meta} {}

  /// Fills the program; what is wrong is in `wrong()` then.
  void run();

  [[nodiscard]] const std::string& wrong() const { return wrong_; }

private:
  using json = nlohmann::json;

  // compiler.cpp: schemas and their keywords.
  const schema_node* add(const json& schema, const place& at);
  void add_keyword(schema_node& node, std::string_view keyword,
                   const json& value, const place& at);
  bool add_number_keyword(schema_node& node, std::string_view keyword,
                          const json& value);
  bool add_string_keyword(schema_node& node, std::string_view keyword,
                          const json& value, const place& at);
  bool add_array_keyword(schema_node& node, std::string_view keyword,
                         const json& value, const place& at);
  bool add_object_keyword(schema_node& node, std::string_view keyword,
                          const json& value, const place& at);
  bool add_combined_keyword(schema_node& node, std::string_view keyword,
                            const json& value, const place& at);
  std::vector<const schema_node*> add_list(const json& list, const place& at);
  dependency dependency_on(const std::string& member, const json& value,
                           const place& at);
  std::optional<pattern> compile_pattern(std::string_view text,
                                         const place& at);

  // references.cpp: what references lead to.
  schema_node* node_for(const json& schema);
  void refer(schema_node& node, const json& schema, const place& at);
  void follow_references();
  const schema_node* target_of(const json& schema);
  const schema_node* target_in_meta(const std::string& fragment) const;
  const schema_node* target_in(const json& document, const split_uri& uri);
  const schema_node* adopt(const json& value, const std::string& base,
                           const std::string& where);

  void refuse(const std::string& where, const std::string& why);

  // A `$ref` whose target is looked for when all schemas have their addresses.
  struct open_reference {
    schema_node* from;
    const json* schema;
    std::string place;
  };

  program& made_;
  const program* meta_;
  address_book addresses_;
  pattern_room room_;
  std::unordered_set<const json*> added_;
  std::vector<open_reference> references_;
  std::string wrong_;
};

} // namespace turnstile::draft7
