#pragma once

#include "core/base/time.hpp"

#include <caf/actor_clock.hpp>

namespace turnstile {

/// What `clock` shows, as the time that core is told: `now(self->clock())`.
/// In a still world this is virtual time.
inline instant now(const caf::actor_clock& clock) {
  return instant{clock.now().time_since_epoch()};
}

} // namespace turnstile
