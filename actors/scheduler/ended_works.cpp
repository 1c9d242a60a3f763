#include "actors/scheduler/ended_works.hpp"

#include <utility>

namespace turnstile {

void ended_works::await(const work_id& id, owed_answer<wire::WorkEnded> who) {
  awaited_[id].push_back(std::move(who));
}

void ended_works::tell(const work_id& id, wire::WorkEnded ended) {
  if (auto found = awaited_.extract(id)) {
    for (auto& who : found.mapped())
      who.settle(ended);
    return;
  }
  if (max_kept_ == 0)
    return;
  kept_.insert_or_assign(id, std::move(ended));
  order_.push_back(id);
  // `order_` also shrinks when many kept ends were taken, so it is bounded.
  while (kept_.size() > max_kept_ || order_.size() > 2 * max_kept_) {
    kept_.erase(order_.front());
    order_.pop_front();
  }
}

std::optional<wire::WorkEnded> ended_works::take(const work_id& id) {
  if (auto found = kept_.extract(id))
    return std::move(found.mapped());
  return std::nullopt;
}

} // namespace turnstile
