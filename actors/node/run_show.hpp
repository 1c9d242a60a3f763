#pragma once

#include "actors/node/plan_run.hpp"
#include "config/plan/plan.hpp"

namespace turnstile::node {

/// Shows what became of a run on standard output, and returns the exit code for
/// that.
int show(const run_result& result, const config::plan& plan, bool as_json,
         bool interrupted);

} // namespace turnstile::node
