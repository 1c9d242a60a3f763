#pragma once

#include "actors/node/plan_run.hpp"

#include <string>

namespace turnstile::node {

/// The run as one JSON object, as `turnstile run --json` prints it.
std::string to_json(const run_result& run);

} // namespace turnstile::node
