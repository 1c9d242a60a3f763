#pragma once

#include "config/plan/read/task_index.hpp"

#include <vector>

namespace turnstile::config {

/// Finds out who needs whom: fills the needs of `tasks`, complains about names
/// that nobody has and about cycles. `drafts` are all that the tasks came from.
void resolve_needs(const std::vector<task_draft>& drafts,
                   const task_index& index, std::vector<expanded_task>& tasks);

} // namespace turnstile::config
