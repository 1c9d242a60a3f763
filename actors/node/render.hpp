#pragma once

#include "actors/node/plan_run.hpp"

#include <string>

namespace turnstile::node {

/// The run as one JSON object, as `turnstile run --json` prints it.
std::string to_json(const run_result& run);

/// The run as a person reads it: a line per group of tasks, what failed and
/// why, and what the last tasks of the plan, those that nobody needs, said.
std::string to_text(const run_result& run, const config::plan& plan);

/// How far the run is, in one line of at most `columns` characters.
std::string progress_line(const run_progress& progress, duration elapsed,
                          std::size_t columns);

/// One line about a task that has ended.
std::string task_line(const run_progress& progress, const task_result& task);

} // namespace turnstile::node
