#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/plan.hpp"

#include <optional>
#include <vector>

namespace turnstile::config {

/// Reads what a scripted backend does: an array of `{"ok": JSON}`,
/// `{"fail": KIND}` and `{"hang": true}`, the first two with a `delay`.
std::optional<std::vector<script_step>> read_script(const field& where);

} // namespace turnstile::config
