#include "actors/scheduler/flights.hpp"

#include <algorithm>

namespace turnstile {

namespace {

/// When a flight times out if nothing is heard of it any more, and of what.
std::optional<std::pair<instant, attempt_timeout>>
timeout_of(const flight& what) {
  std::optional<std::pair<instant, attempt_timeout>> first;
  if (what.limits.whole)
    first = {later(what.started, *what.limits.whole), attempt_timeout::whole};
  if (what.limits.idle)
    if (const auto idle = later(what.heard, *what.limits.idle);
        !first || idle < first->first)
      first = {idle, attempt_timeout::idle};
  return first;
}

} // namespace

void flights::begin(const work_id& id, flight what) {
  auto& one = flights_[id] = entry{std::move(what), {}};
  watch(id, one);
}

void flights::watch(const work_id& id, entry& one) {
  one.watched_at.reset();
  if (const auto when = timeout_of(one.what)) {
    one.watched_at = when->first;
    timeouts_.emplace(when->first, id);
  }
}

std::optional<flight> flights::end(const work_id& id,
                                   std::uint32_t submission) {
  auto found = flights_.find(id);
  if (found == flights_.end()
      || (submission != 0 && found->second.what.submission != submission))
    return std::nullopt;
  auto ended = std::move(found->second);
  flights_.erase(found);
  if (ended.watched_at)
    timeouts_.erase({*ended.watched_at, id});
  return std::move(ended.what);
}

flight* flights::find(const work_id& id) {
  auto found = flights_.find(id);
  return found == flights_.end() ? nullptr : &found->second.what;
}

bool flights::hear(const work_id& id, std::uint32_t submission, instant now) {
  auto* known = find(id);
  if (known == nullptr || known->submission != submission)
    return false;
  known->heard = now;
  return true;
}

std::vector<work_id> flights::take_timed_out(instant now) {
  std::vector<work_id> late;
  while (!timeouts_.empty() && timeouts_.begin()->first <= now) {
    auto id = timeouts_.begin()->second;
    timeouts_.erase(timeouts_.begin());
    auto& one = flights_.at(id);
    const auto when = timeout_of(one.what);
    if (when->first > now) {
      watch(id, one); // There was a sign of life.
      continue;
    }
    one.watched_at.reset();
    one.what.timed_out = when->second;
    late.push_back(id);
  }
  return late;
}

std::vector<std::pair<work_id, std::uint32_t>>
flights::at(const backend_actor& backend) const {
  std::vector<std::pair<work_id, std::uint32_t>> there;
  for (const auto& [id, one] : flights_)
    if (one.what.backend == backend)
      there.emplace_back(id, one.what.submission);
  std::sort(there.begin(), there.end());
  return there;
}

std::optional<instant> flights::next_timeout() const {
  if (timeouts_.empty())
    return std::nullopt;
  return timeouts_.begin()->first;
}

} // namespace turnstile
