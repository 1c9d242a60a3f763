#include "actors/scheduler/flights.hpp"

#include <algorithm>

namespace turnstile {

void flights::begin(const work_id& id, flight what) {
  if (what.times_out_at)
    timeouts_.emplace(*what.times_out_at, id);
  flights_.insert_or_assign(id, std::move(what));
}

std::optional<flight> flights::end(const work_id& id,
                                   std::uint32_t submission) {
  auto found = flights_.find(id);
  if (found == flights_.end()
      || (submission != 0 && found->second.submission != submission))
    return std::nullopt;
  auto ended = std::move(found->second);
  flights_.erase(found);
  if (ended.times_out_at)
    timeouts_.erase({*ended.times_out_at, id});
  return ended;
}

flight* flights::find(const work_id& id) {
  auto found = flights_.find(id);
  return found == flights_.end() ? nullptr : &found->second;
}

std::vector<work_id> flights::take_timed_out(instant now) {
  std::vector<work_id> late;
  while (!timeouts_.empty() && timeouts_.begin()->first <= now) {
    auto id = timeouts_.begin()->second;
    timeouts_.erase(timeouts_.begin());
    auto& what = flights_.at(id);
    what.times_out_at.reset();
    what.timed_out = true;
    late.push_back(id);
  }
  return late;
}

std::vector<std::pair<work_id, std::uint32_t>>
flights::at(const backend_actor& backend) const {
  std::vector<std::pair<work_id, std::uint32_t>> there;
  for (const auto& [id, what] : flights_)
    if (what.backend == backend)
      there.emplace_back(id, what.submission);
  std::sort(there.begin(), there.end());
  return there;
}

std::optional<instant> flights::next_timeout() const {
  if (timeouts_.empty())
    return std::nullopt;
  return timeouts_.begin()->first;
}

} // namespace turnstile
