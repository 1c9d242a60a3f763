#pragma once

#include "core/work/report.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnstile::conformance {

/// How many fields of the report are the seed's.
constexpr std::size_t seed_fields = 28;

/// All fields of a report by name, the seed's first and in its order; absent
/// durations are `-`.
std::vector<std::pair<std::string_view, std::string>>
fields_of(const scheduler_report& report);

} // namespace turnstile::conformance
