// What is told late, and what is remembered for how long.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

told naive_scheduler::durable(std::uint64_t position, std::int64_t now) {
  begin(now);
  while (!held_.empty() && held_.front().position <= position) {
    const auto end = held_.front();
    held_.erase(held_.begin());
    if (end.who) {
      tell_work(*end.who, end.how, end.last, end.reason, end.why);
      continue;
    }
    auto& l = lives_[end.which];
    l.untold = false;
    l.in_news = true;
    states_.push_back(end.which);
    if (count_live(end.which) == 0)
      droppable_.push_back(end.which);
    out_.ended.push_back(ended_line(l.id, l.number, l.status, l.why));
  }
  return whole();
}

/// Retention: decisions T5 and T11. What the latest outcome told is kept until
/// the next one or the next registration, and poison keeps all.
void naive_scheduler::trim() {
  while (!poisoned_ && states_.size() > rules_.states
         && !lives_[states_.front()].in_news) {
    lives_[states_.front()].state.reset();
    states_.erase(states_.begin());
  }
  auto ended = [&] {
    return std::uint64_t(
      std::count_if(lives_.begin(), lives_.end(), [](const life& l) {
        return l.status != request_status::active && !l.dropped;
      }));
  };
  while (!poisoned_ && ended() > rules_.ended && !droppable_.empty()
         && !lives_[droppable_.front()].in_news) {
    auto& l = lives_[droppable_.front()];
    l.dropped = true;
    l.state.reset();
    std::erase(states_, droppable_.front());
    droppable_.erase(droppable_.begin());
    ++counted_.dropped_requests;
  }
}

} // namespace turnstile::model
