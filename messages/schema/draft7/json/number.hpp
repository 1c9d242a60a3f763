#pragma once

#include <compare>
#include <nlohmann/json.hpp>

// Numbers of JSON have one value, however they are held here: 64 bits with or
// without a sign, or a double. Nothing below rounds.

namespace turnstile::draft7 {

/// Compares two numbers by value: 9007199254740993 is more than
/// 9007199254740992.0, and 1 is 1.0.
std::weak_ordering compare_numbers(const nlohmann::json& a,
                                   const nlohmann::json& b);

/// Whether a number has no fraction: 1.0 has none.
bool is_whole(const nlohmann::json& number);

/// Whether `number` is a whole multiple of `divisor`, both taken as the
/// shortest decimals that stand for them: 19.99 is one of 0.01, as people see
/// it.
/// @pre the divisor is more than 0
bool is_multiple(const nlohmann::json& number, const nlohmann::json& divisor);

} // namespace turnstile::draft7
