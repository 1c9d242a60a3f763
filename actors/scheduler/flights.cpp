#include "actors/scheduler/flights.hpp"

#include <algorithm>

namespace turnstile {

namespace {

/// When a flight times out if nothing is heard of it any more, and of what.
std::optional<std::pair<instant, attempt_timeout>>
timeout_of(const flight& what) {
  std::optional<std::pair<instant, attempt_timeout>> first;
  if (what.limits.whole)
    first = {later(later(what.started, what.waited), *what.limits.whole),
             attempt_timeout::whole};
  if (what.limits.idle)
    if (const auto idle = later(what.heard, *what.limits.idle);
        !first || idle < first->first)
      first = {idle, attempt_timeout::idle};
  return first;
}

} // namespace

flight& flights::add(const work_id& id, flight what) {
  auto& one = flights_[id] = entry{std::move(what), {}};
  return one.what;
}

void flights::execute(const work_id& id, instant now) {
  auto& one = flights_.at(id);
  if (one.what.place == flight_place::at_gate)
    one.what.started = now;
  else
    one.what.waited += now - one.what.parked_at;
  one.what.place = flight_place::executing;
  one.what.heard = now;
  watch(id, one);
}

void flights::park(const work_id& id, instant now) {
  auto& one = flights_.at(id);
  one.what.place = flight_place::parked;
  one.what.parked_at = now;
  unwatch(id, one);
}

void flights::watch(const work_id& id, entry& one) {
  one.watched_at.reset();
  if (const auto when = timeout_of(one.what)) {
    one.watched_at = when->first;
    timeouts_.emplace(when->first, id);
  }
}

void flights::unwatch(const work_id& id, entry& one) {
  if (one.watched_at)
    timeouts_.erase({*one.watched_at, id});
  one.watched_at.reset();
}

std::optional<flight> flights::end(const work_id& id,
                                   std::uint32_t submission) {
  auto found = flights_.find(id);
  if (found == flights_.end()
      || (submission != 0 && found->second.what.submission != submission))
    return std::nullopt;
  unwatch(id, found->second);
  auto ended = std::move(found->second.what);
  flights_.erase(found);
  return ended;
}

flight* flights::find(const work_id& id) {
  auto found = flights_.find(id);
  return found == flights_.end() ? nullptr : &found->second.what;
}

const flight* flights::find(const work_id& id) const {
  auto found = flights_.find(id);
  return found == flights_.end() ? nullptr : &found->second.what;
}

flight* flights::find(const work_id& id, std::uint32_t submission) {
  auto* known = find(id);
  return known != nullptr && known->submission == submission ? known : nullptr;
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

template <class Meant>
std::vector<work_id> flights::those(Meant meant) const {
  std::vector<work_id> ids;
  for (const auto& [id, one] : flights_)
    if (meant(one.what))
      ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
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

std::vector<work_id> flights::through(const std::string& backend_name) const {
  return those([&](const flight& one) {
    return one.pass && one.backend_name == backend_name;
  });
}

std::vector<work_id> flights::all() const {
  return those([](const flight&) { return true; });
}

std::optional<instant> flights::next_timeout() const {
  if (timeouts_.empty())
    return std::nullopt;
  return timeouts_.begin()->first;
}

} // namespace turnstile
