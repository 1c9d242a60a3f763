#pragma once

#include "actors/backend.hpp"
#include "core/turn/lockstep.hpp"
#include "core/work/settings.hpp"

#include <cstddef>

namespace turnstile {

/// What a rank actor is made of. But for `group.rank` and `backend`, it has to
/// be the same on all ranks.
struct rank_options {
  scheduler_settings settings; ///< `hold_until_durable` has no effect here.
  lockstep_settings group;

  /// Executes this rank's part of every work.
  backend_actor backend;

  /// Whether this rank takes the place of a lost one: it waits for the states
  /// of another (`KeptStates`) and for its group to be formed.
  bool joins_late = false;

  /// Ends of works that nobody has waited for yet and that are kept in case
  /// somebody will.
  std::size_t max_unawaited_ends = 1024;
};

} // namespace turnstile
