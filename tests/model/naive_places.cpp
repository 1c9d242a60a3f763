// Where works are, and what follows from it.
#include "tests/model/naive_scheduler.hpp"

#include <algorithm>

namespace turnstile::model {

std::optional<std::size_t> naive_scheduler::owner(request_id id) const {
  for (std::size_t i = lives_.size(); i-- > 0;)
    if (lives_[i].id == id && !lives_[i].dropped)
      return lives_[i].freed ? std::nullopt : std::optional{i};
  return std::nullopt;
}

std::optional<std::size_t> naive_scheduler::active(request_id id) const {
  auto which = owner(id);
  if (!which || lives_[*which].status != request_status::active)
    return std::nullopt;
  return which;
}

std::optional<at> naive_scheduler::find(const work_id& id) const {
  for (std::size_t i = 0; i < lives_.size(); ++i)
    if (lives_[i].id == id.request && lives_[i].number == id.life
        && id.sequence < lives_[i].works.size()
        && lives_[i].works[id.sequence].live())
      return at{i, id.sequence};
  return std::nullopt;
}

template <class Wanted>
std::vector<at> naive_scheduler::all_works(Wanted&& wanted) const {
  std::vector<at> found;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    for (const auto& w : lives_[i].works)
      if (wanted(w))
        found.emplace_back(i, w.id.sequence);
  return found;
}

std::size_t naive_scheduler::count_live(std::size_t which) const {
  const auto& works = lives_[which].works;
  return std::count_if(works.begin(), works.end(),
                       [](const work& w) { return w.live(); });
}

std::uint64_t naive_scheduler::accepted_now() const {
  return all_works([](const work& w) { return w.live(); }).size();
}

std::uint64_t naive_scheduler::slots_in_use() const {
  return all_works([](const work& w) { return w.uses_slot(); }).size();
}

std::uint64_t naive_scheduler::kept_resources() const {
  std::uint64_t sum = 0;
  for (auto who : all_works([](const work& w) { return w.at == place::kept; }))
    sum += of(who).resources;
  return sum;
}

std::uint64_t naive_scheduler::active_requests() const {
  return std::count_if(lives_.begin(), lives_.end(), [](const life& l) {
    return l.status == request_status::active;
  });
}

std::uint64_t naive_scheduler::room() const {
  return std::min(rules_.per_turn,
                  rules_.slots - std::min(rules_.slots, slots_in_use()));
}

std::uint64_t naive_scheduler::wanted() const {
  const auto free = rules_.slots - std::min(rules_.slots, slots_in_use());
  const auto ready = std::uint64_t{prepared_.size()};
  return std::min(rules_.per_turn, free - std::min(free, ready));
}

bool naive_scheduler::is_blocked(std::size_t which) const {
  const auto& l = lives_[which];
  std::uint64_t near_slots = 0;
  std::uint64_t branches = 0;
  for (const auto& w : l.works) {
    near_slots +=
      w.uses_slot() || w.at == place::prepared || w.at == place::regaining;
    branches += w.at == place::prepared || w.running();
  }
  if (near_slots >= rules_.slots_of_one)
    return true;
  if (l.parallel || l.works[l.queue.front()].at == place::resuming)
    return false; // The latter has its branch.
  // One branch at a time, in order: nobody overtakes a work that is put off.
  const auto first = first_in_order(which);
  return branches > 0
         || (l.ordered && l.works[first->second].at == place::delayed);
}

std::optional<at> naive_scheduler::first_in_order(std::size_t which) const {
  for (const auto& w : lives_[which].works)
    if (w.may_publish())
      return at{which, w.id.sequence};
  return std::nullopt;
}

void naive_scheduler::enter_queue(at who, bool in_front) {
  auto& queue = lives_[who.first].queue;
  queue.insert(in_front ? queue.begin() : queue.end(), who.second);
  if (std::find(ready_.begin(), ready_.end(), who.first) == ready_.end())
    ready_.push_back(who.first);
}

void naive_scheduler::leave(at who) {
  std::erase(prepared_, who);
  std::erase(lives_[who.first].queue, who.second);
  if (lives_[who.first].queue.empty())
    std::erase(ready_, who.first);
}

/// Decision T20. What throws when it is asked changes nothing.
void naive_scheduler::read_resources(work& w) const {
  if (w.output && !world.output(*w.output).made_by.shy)
    w.resources = world.output(*w.output).made_by.resources;
}

void naive_scheduler::note_peaks() {
  auto raise = [](std::uint64_t& peak, std::uint64_t now) {
    peak = std::max(peak, now);
  };
  raise(counted_.peak_in_flight_work, slots_in_use());
  raise(counted_.peak_queued_work, accepted_now());
  raise(counted_.peak_abandoned_retained_resources, kept_resources());
}

} // namespace turnstile::model
