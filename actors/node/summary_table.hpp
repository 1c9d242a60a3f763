#pragma once

#include "actors/node/plan_run.hpp"

#include <cstddef>
#include <string>

namespace turnstile::node {

/// A line per group of tasks, in plan order. Where not all columns fit, only
/// the most important ones are there, and names are shortened.
std::string summary_table(const run_result& run, const config::plan& plan,
                          std::size_t columns);

} // namespace turnstile::node
