#pragma once

#include "config/plan/json/field.hpp"

#include <string>
#include <utility>
#include <vector>

namespace turnstile::config {

/// The members of an `env` object: names that an environment can hold and that
/// the program does not set itself, with their values still to be read.
/// Complains about the others.
std::vector<std::pair<std::string, field>> read_variables(const field& where);

} // namespace turnstile::config
