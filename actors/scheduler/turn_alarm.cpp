#include "actors/scheduler/turn_alarm.hpp"

#include <utility>

namespace turnstile {

void turn_alarm::arm(instant next, instant now) {
  if (next <= now) {
    if (!std::exchange(turn_is_coming_, true))
      mail(self_, turn_atom_v).send(scheduler_actor{self_});
    return;
  }
  if (next == instant::max() || (rings_at_ && *rings_at_ <= next))
    return; // never, or soon enough
  rings_at_ = next;
  mail(self_, wake_atom_v, ++number_)
    .delay(caf::timespan{next - now})
    .send(scheduler_actor{self_});
}

bool turn_alarm::rang(std::uint64_t number) noexcept {
  if (number != number_)
    return false;
  rings_at_.reset();
  return true;
}

} // namespace turnstile
