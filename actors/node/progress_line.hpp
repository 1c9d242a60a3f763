#pragma once

#include "actors/node/plan_run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace turnstile::node {

/// How far the run is, in one line of at most `columns` columns: with less
/// room, it says less.
std::string progress_line(const run_progress& progress, duration elapsed,
                          std::size_t columns);

/// One line about a task that has ended.
std::string task_line(const run_progress& progress, const task_result& task);

/// How people read a span of time: `9999 ms`, `10 s`.
std::string milliseconds(std::int64_t ns);

} // namespace turnstile::node
