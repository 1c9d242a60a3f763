#pragma once

#include "core/base/time.hpp"

#include <algorithm>

namespace turnstile {

/// The time of a group of ranks (decision R4). The leader advances it by what
/// its own clock has moved on, and tells it with every turn; the others take it
/// over, and go on from there should they become the leader. So it never goes
/// back, and it does not matter what the ranks' clocks show.
class group_clock {
public:
  /// Returns the group's time now. For the leader only. @param local its clock
  instant advance(instant local) {
    const auto now = estimate(local);
    told(now, local);
    return now;
  }

  /// Takes over what the leader told when this rank's clock showed `local`.
  void told(instant group, instant local) {
    last_ = std::max(last_, group);
    heard_at_ = local;
    heard_ = true;
  }

  /// What the group's time may be by now, for a rank's own timers.
  [[nodiscard]] instant estimate(instant local) const {
    return heard_ ? later(last_, std::max(local - heard_at_, duration::zero()))
                  : last_;
  }

  /// The newest time that was told.
  [[nodiscard]] instant last() const noexcept { return last_; }

private:
  instant last_;
  instant heard_at_;
  bool heard_ = false;
};

} // namespace turnstile
