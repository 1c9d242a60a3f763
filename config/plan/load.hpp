#pragma once

#include "config/plan/plan.hpp"
#include "core/base/result.hpp"

#include <filesystem>
#include <string_view>

namespace turnstile::config {

/// Reads the plan in `file` and all that it mentions: prompt files, the files
/// that `each` matches. A plan with mistakes is refused with all of them, one a
/// line, each with its place: `plan.json:12:7: tasks[3].phase: expected ...`.
/// The code is `not_built_yet` if nothing is wrong but that this version lacks
/// a feature, else `invalid_plan`.
result<plan> load_plan(const std::filesystem::path& file);

/// The same for a plan that is in memory. `name` stands in complaints and its
/// stem is the run's default name; what is relative is relative to `folder`.
result<plan> parse_plan(std::string_view text, std::string_view name,
                        const std::filesystem::path& folder);

} // namespace turnstile::config
