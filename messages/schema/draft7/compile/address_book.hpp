#pragma once

#include "messages/schema/draft7/compile/uri.hpp"
#include "messages/schema/draft7/json/place.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>

namespace turnstile::draft7 {

/// Knows what schemas are called: which `$id`s there are, and on what base each
/// schema's references stand.
class address_book {
public:
  /// Enters `schema` and all schemas inside it. The base is that of what is
  /// around it. Those that are there already stay as they are. Refuses an
  /// `$id` that another one has.
  tl::expected<void, std::string>
  enter(const nlohmann::json& schema, const std::string& base, const place& at);

  /// Whether this value is known to be a schema.
  [[nodiscard]] bool knows(const nlohmann::json& schema) const {
    return bases_.contains(&schema);
  }

  /// The base of a schema that was entered.
  [[nodiscard]] const std::string& base_of(const nlohmann::json& schema) const {
    return *bases_.at(&schema);
  }

  /// Returns the schema that `$id` calls so, or null.
  [[nodiscard]] const nlohmann::json* find(const std::string& id) const;

private:
  std::map<std::string, const nlohmann::json*> ids_; // "#name" at the end, too.
  std::unordered_map<const nlohmann::json*, const std::string*> bases_;
  std::map<std::string, int> texts_; // Each base once; addresses are stable.
};

} // namespace turnstile::draft7
