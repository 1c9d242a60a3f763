#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/plan.hpp"

#include <filesystem>

namespace turnstile::config {

/// Reads the array of tasks into `made`, whose backends must be there: drafts
/// first, then what `each` makes of them, then who needs whom.
void read_tasks(const field& where, const std::filesystem::path& folder,
                plan& made);

} // namespace turnstile::config
