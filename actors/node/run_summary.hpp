#pragma once

#include "actors/node/plan_run.hpp"
#include "actors/node/standard_streams.hpp"

#include <string>

namespace turnstile::node {

/// The run as a person reads it: a line per group of tasks, what failed and
/// why, and what the last tasks of the plan, those that nobody needs, said.
/// Fits the columns, except for what the tasks said; colours only status words.
std::string to_text(const run_result& run, const config::plan& plan,
                    const stream_look& look = {});

} // namespace turnstile::node
