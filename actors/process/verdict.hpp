#pragma once

#include "actors/process/process_exit.hpp"
#include "core/attempt/backend_error.hpp"

#include <optional>

namespace turnstile {

/// What a child's exit means for the attempt that it was: nothing is wrong
/// with exit code 0; code 75 (EX_TEMPFAIL of sysexits.h), death by a signal
/// and a failed start may be retried; any other code is the work's failure,
/// told with the last lines of the child's log.
///
/// Whoever was stopped by us is `cancelled`, however it went; if it was
/// stopped because it ran late, the caller knows better.
std::optional<backend_error> verdict(const process_exit& exit);

} // namespace turnstile
