#pragma once

#include "messages/schema/draft7/node.hpp"

#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>

namespace turnstile::draft7 {

/// A whole schema, compiled. Never changes, never moves: its nodes point into
/// its text and at each other.
struct program {
  nlohmann::json text;
  std::deque<schema_node> nodes;
  std::unordered_map<const nlohmann::json*, schema_node*> node_of;
  const schema_node* root = nullptr;
};

/// Compiles what `text` holds, which matches the meta-schema, into the rest of
/// `made`; or says what cannot be followed, and where: "at /items/$ref: ...".
/// Without `meta` nothing may refer to the meta-schema.
tl::expected<void, std::string> compile(program& made, const program* meta);

/// The schema of schemas, `http://json-schema.org/draft-07/schema`.
const program& meta_schema();

} // namespace turnstile::draft7
