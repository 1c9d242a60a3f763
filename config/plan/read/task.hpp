#pragma once

#include "config/plan/read/task_draft.hpp"

#include <optional>

namespace turnstile::config {

/// Reads an entry of `tasks`. What is wrong is in the complaints, and the draft
/// has all the rest. Nothing is returned only if the entry has no usable name.
std::optional<task_draft> read_task(const field& where);

} // namespace turnstile::config
