#pragma once

#include "config/plan/read/task_index.hpp"

#include <vector>

namespace turnstile::config {

/// Checks the templates in the prompts of `tasks`: they may only speak of what
/// the task needs, of many tasks with `outputs` and of one task by its name.
void resolve_references(const task_index& index,
                        const std::vector<expanded_task>& tasks);

} // namespace turnstile::config
