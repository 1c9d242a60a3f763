#pragma once

#include "actors/node/plan_run.hpp"

namespace turnstile::node {

// The program's exit codes.
inline constexpr int exit_ok = 0;
inline constexpr int exit_tasks_failed = 1;
inline constexpr int exit_wrong_input = 2;
inline constexpr int exit_cancelled = 3;
inline constexpr int exit_journal_refused = 4;
inline constexpr int exit_interrupted = 5;
inline constexpr int exit_partly_repaired = 6;

/// For what kept a command from doing anything.
int exit_code(const failure& why);

/// Says how a run ended. An interruption that came too late to leave anything
/// undone changes nothing.
int exit_code(const run_result& run, bool interrupted);

} // namespace turnstile::node
