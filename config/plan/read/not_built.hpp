#pragma once

#include "config/plan/json/record.hpp"

#include <string_view>

namespace turnstile::config {

/// Refuses what the plan format has but this version cannot do: every member of
/// `object` that the one table of such keys lists under `kind` ("plan",
/// "retry", "backend", "task"). Call it after reading the object: a member that
/// is wrong anyway gets no second complaint.
void refuse_unbuilt(const record& object, std::string_view kind);

} // namespace turnstile::config
