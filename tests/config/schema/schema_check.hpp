#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace turnstile::config {

/// Checks `value` against `schema`, a JSON Schema (draft 7), and returns the
/// first thing that is wrong, or `"fine"`. Knows as much of the draft as
/// config/plan.schema.json uses, and throws at any other keyword, so that
/// nothing is ignored in silence.
///
/// It is written out here because the library for it in Debian is packaged with
/// a desktop's and a database's worth of dependencies.
std::string schema_complaint(const nlohmann::json& schema,
                             const nlohmann::json& value);

} // namespace turnstile::config
