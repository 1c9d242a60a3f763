#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/plan.hpp"

#include <filesystem>

namespace turnstile::config {

/// Reads a plan from its root. `folder`, which is absolute, is where relative
/// paths begin. The plan is good only if there are no complaints afterwards.
plan read_whole_plan(const field& root, const std::filesystem::path& folder);

} // namespace turnstile::config
