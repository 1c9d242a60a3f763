#pragma once

#include "actors/journal/journal_retention.hpp"
#include "actors/journal/journal_state.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/base/result.hpp"

#include <caf/fwd.hpp>

#include <cstdint>
#include <string>

namespace turnstile {

/// Opens the journal in the file `path`, which is made if it is not there, and
/// spawns its actor with a thread of its own. What comes back goes into the
/// options of a scheduler. End the actor with an exit message once the
/// scheduler has ended, and let go of every handle to it before the actor
/// system ends, which waits for its thread.
///
/// Ended requests that `kept` does not name are forgotten.
///
/// `journal_owned` if another process runs what is in it, `journal_damaged`,
/// `storage_full` or `storage_failed` if it cannot be used.
result<journal_link> open_journal(caf::actor_system& system,
                                  const std::string& path,
                                  const journal_pace& pace = {},
                                  const journal_retention& kept = {});

} // namespace turnstile
