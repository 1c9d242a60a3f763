#pragma once

#include "messages/schema/draft7/effort.hpp"

#include <compare>
#include <nlohmann/json.hpp>

namespace turnstile::draft7 {

/// Compares JSON values as the draft wants it: numbers by value, strings by
/// their bytes, objects whatever the order of their members. What comes before
/// what is arbitrary, but always the same. Pays for what it looks at; without
/// means all things are equal.
std::weak_ordering compare(const nlohmann::json& a, const nlohmann::json& b,
                           effort& means);

} // namespace turnstile::draft7
