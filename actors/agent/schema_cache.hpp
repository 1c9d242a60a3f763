#pragma once

#include "messages/schema/output_schema.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace turnstile {

/// Compiled schemas by their text: the tasks of a run often share one. When it
/// is full it begins anew; tasks keep theirs.
class schema_cache {
public:
  /// Compiles a schema, unless it is known.
  result<output_schema> get(const std::string& text) {
    if (const auto known = schemas_.find(text); known != schemas_.end())
      return known->second;
    auto made = output_schema::compile(text);
    if (!made)
      return made;
    if (schemas_.size() == max_schemas)
      schemas_.clear();
    schemas_.emplace(text, *made);
    return made;
  }

private:
  static constexpr std::size_t max_schemas = 64;

  std::map<std::string, output_schema, std::less<>> schemas_;
};

} // namespace turnstile
