// What can be seen of the model, computed from its works and lives.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

namespace {

std::optional<work_lifecycle> lifecycle_of(const life& l, const work& w) {
  if (l.dropped)
    return std::nullopt;
  switch (w.at) {
  case place::queued:
  case place::delayed:
    return work_lifecycle::queued;
  case place::prepared:
    return work_lifecycle::prepared;
  case place::flying:
  case place::parked:
  case place::resuming:
  case place::regaining:
    return work_lifecycle::submitted;
  case place::waiting:
  case place::held:
    return work_lifecycle::completing;
  case place::kept:
    return work_lifecycle::abandoned;
  case place::failed_flying:
    return work_lifecycle::failed;
  case place::gone:
    break;
  }
  if (w.id.sequence < l.known_from)
    return std::nullopt;
  return w.last;
}

void count_place(const work& w, scheduler_report& r) {
  r.queued_work += w.at == place::queued;
  r.delayed_work += w.at == place::delayed;
  r.prepared_work += w.at == place::prepared;
  r.submitted_in_flight_work += w.at == place::flying;
  r.completing_work += w.at == place::waiting || w.at == place::held;
  r.abandoned_in_flight_work += w.at == place::kept && w.in_slot;
  r.failed_in_flight_work += w.at == place::failed_flying;
  r.parked_work += (w.running() && w.at != place::flying)
                   || (w.at == place::kept && !w.in_slot);
}

void count_end(const work& w, scheduler_report& r) {
  r.completed_work += w.how == bucket::committed;
  r.failed_work += w.how == bucket::failed;
  r.discarded_work += w.how == bucket::discarded;
  r.abandoned_released_work += w.how == bucket::released;
  r.reclaimed_work += w.how == bucket::reclaimed;
}

} // namespace

scheduler_report naive_scheduler::report() const {
  auto r = counted_;
  for (const auto& l : lives_) {
    r.active_requests += l.status == request_status::active;
    r.ended_requests += l.status != request_status::active && !l.dropped;
    r.submitted_work += l.works.size();
    for (const auto& w : l.works) {
      count_place(w, r);
      count_end(w, r);
    }
  }
  r.current_in_flight_work = slots_in_use();
  r.abandoned_retained_resources = kept_resources();
  r.configured_submission_bound = rules_.per_turn;
  r.configured_slice_bound = rules_.slice;
  r.poisoned = poisoned_;
  return r;
}

/// When a turn, or a poll of what is poisoned, would next have something to do.
/// While other ranks are waited for, time alone gives it nothing.
std::string naive_scheduler::next_wake(std::int64_t now) const {
  if (turn_)
    return "";
  const auto open = std::any_of(ready_.begin(), ready_.end(),
                                [&](auto which) { return !is_blocked(which); });
  auto at_once = !poisoned_ && room() > 0 && (!prepared_.empty() || open);
  std::optional<std::int64_t> next;
  auto consider = [&](std::int64_t when) {
    next = next ? std::min(*next, when) : when;
  };
  for (const auto& l : lives_)
    for (const auto& w : l.works) {
      at_once |= w.at_backend() && w.saw != seen::nothing;
      if (w.armed)
        consider(*w.what.deadline);
      if (w.at == place::delayed)
        consider(*w.not_before);
      if (w.at != place::kept)
        continue;
      if (rules_.overdue && !w.told_overdue)
        consider(w.abandoned_at + *rules_.overdue);
      if (rules_.reclaim)
        consider(w.abandoned_at + *rules_.reclaim);
    }
  if (at_once)
    return std::to_string(now);
  return next ? std::to_string(*next) : "";
}

std::string naive_scheduler::request_picture(request_id id) const {
  auto out = to_string(id) + ' ';
  auto which = owner(id);
  if (!which)
    out += "none";
  else if (lives_[*which].untold)
    out += "active";
  else
    out += to_string(lives_[*which].status);
  if (which) {
    const auto& l = lives_[*which];
    out += " life " + std::to_string(l.number) + " live "
           + std::to_string(count_live(*which)) + " queued "
           + std::to_string(l.queue.size());
    if (l.state)
      out +=
        " state " + std::to_string(*l.state) + ' ' + std::to_string(l.commits);
  }
  for (std::uint64_t sequence : {0, 2}) {
    out += " newest ";
    for (std::size_t i = lives_.size(); i-- > 0;)
      if (lives_[i].id == id && !lives_[i].dropped
          && sequence < lives_[i].works.size()) {
        out += std::to_string(lives_[i].number);
        break;
      }
  }
  return out + '\n';
}

std::string naive_scheduler::works_picture() const {
  std::string out;
  for (const auto& l : lives_) {
    out += text(l.id, l.number) + ' ';
    for (const auto& w : l.works) {
      out += letter(lifecycle_of(l, w));
      if (w.live())
        out += std::to_string(w.what.payload);
    }
    out += '\n';
  }
  return out;
}

std::string naive_scheduler::backends_picture() const {
  auto sorted = backends_;
  std::sort(sorted.begin(), sorted.end());
  std::string out = "backends";
  for (const auto& [name, preemptible] : sorted)
    out += ' ' + name + (preemptible ? "+" : "-");
  return out
         + (!sorted.empty() && all_preemptible_ ? " all preemptible\n" : "\n");
}

} // namespace turnstile::model
