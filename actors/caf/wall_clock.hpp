#pragma once

#include "actors/caf/clock.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>

namespace turnstile {

/// Translates between the clock of an actor system, which begins with the
/// machine or with a test, and nanoseconds since the Unix epoch, which others
/// understand, too.
class wall_clock {
public:
  /// By what the machine says it is now.
  explicit wall_clock(const caf::actor_clock& clock)
    : wall_clock(std::chrono::duration_cast<duration>(
                   std::chrono::system_clock::now().time_since_epoch())
                 - now(clock).time_since_epoch()) {}

  /// @param origin what to add to the actor system's time
  explicit wall_clock(duration origin) : origin_(origin) {}

  [[nodiscard]] std::int64_t unix_ns(instant at) const noexcept {
    return (at.time_since_epoch() + origin_).count();
  }

  [[nodiscard]] instant at(std::int64_t unix_ns) const noexcept {
    return instant{duration{unix_ns} - origin_};
  }

private:
  duration origin_;
};

} // namespace turnstile
