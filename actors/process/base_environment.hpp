#pragma once

#include "actors/process/process_spec.hpp"

#include <cstdint>
#include <string>

namespace turnstile {

/// For whom a child works; it finds this in its environment.
struct process_identity {
  std::string run;           ///< TURNSTILE_RUN
  std::string task;          ///< TURNSTILE_TASK
  std::uint32_t attempt = 1; ///< TURNSTILE_ATTEMPT, from 1.
  std::string backend;       ///< TURNSTILE_BACKEND
};

/// Returns our own variables as they are now. Call it while no other thread
/// changes them.
process_environment own_environment();

/// Returns the variables of a child: of `own` only PATH, HOME, LANG, LC_* and
/// TMPDIR; over these the task's; over these whom it works for.
process_environment base_environment(const process_environment& own,
                                     const process_environment& task,
                                     const process_identity& identity);

} // namespace turnstile
