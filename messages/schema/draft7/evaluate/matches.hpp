#pragma once

#include "messages/schema/draft7/json/place.hpp"
#include "messages/schema/draft7/node.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>

namespace turnstile::draft7 {

/// Returns nothing if `value` matches `schema`, else why not: at most five
/// violations with their places, joined by "; ". `at` is where the value
/// stands. That it took too much work, and nobody knows, is said in its stead.
tl::expected<void, std::string> matches(const schema_node& schema,
                                        const nlohmann::json& value,
                                        const place& at = place{});

} // namespace turnstile::draft7
