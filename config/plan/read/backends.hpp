#pragma once

#include "config/plan/json/field.hpp"
#include "config/plan/plan.hpp"

#include <vector>

namespace turnstile::config {

/// Reads an object of backends, each under its name. Exactly one of them is the
/// default afterwards: the one that says so, else the first. What is wrong is
/// in the complaints, and the backend is in the result all the same, so that
/// tasks that name it are not blamed.
std::vector<backend_settings> read_backends(const field& where);

} // namespace turnstile::config
