#pragma once

#include "actors/interfaces.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// What makes a scheduler actor run its next turn.
///
/// Invariant: at most one turn message is on its way, and of the timers that
/// are, only the one that was set last counts. (A timer of CAF 0.17.6 cannot
/// be called off, so they are numbered.)
class turn_alarm {
public:
  explicit turn_alarm(scheduler_actor::pointer self) : self_(self) {}

  /// Sees to it that a turn comes by `next`: by a message if that is now, else
  /// by a timer. Does nothing if one comes by then anyway, or if `next` is the
  /// end of time.
  void arm(instant next, instant now);

  /// Says that the turn message has arrived.
  void turn_came() noexcept { turn_is_coming_ = false; }

  /// Whether a turn message is on its way.
  [[nodiscard]] bool turn_is_coming() const noexcept { return turn_is_coming_; }

  /// Says that the timer of this number rang. @returns whether it counts
  bool rang(std::uint64_t number) noexcept;

private:
  scheduler_actor::pointer self_;
  bool turn_is_coming_ = false;
  std::optional<instant> rings_at_;
  std::uint64_t number_ = 0;
};

} // namespace turnstile
