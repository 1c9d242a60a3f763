// What time does: deadlines, works put off, works that hang.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

std::vector<at> naive_scheduler::take_expired() {
  std::vector<at> due;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    for (auto& w : lives_[i].works)
      if (w.armed && *w.what.deadline <= now_) {
        w.armed = false;
        due.emplace_back(i, w.id.sequence);
      }
  std::sort(due.begin(), due.end(),
            [&](at a, at b) { return of(a).id < of(b).id; });
  return due;
}

void naive_scheduler::expire(const std::vector<at>& due) {
  for (auto who : due)
    expire_one(who);
  std::vector<failed_work> failures;
  for (auto who : due)
    commit_waiting(who.first, failures, nullptr);
  resolve(std::move(failures));
}

/// Decisions T6 and T7.
void naive_scheduler::expire_one(at who) {
  auto& w = of(who);
  if (!w.may_publish())
    return; // It ended, or was abandoned, together with an earlier one.
  if (!w.what.alone) {
    retire(who.first, request_status::deadline_exceeded,
           errc::deadline_exceeded);
  } else {
    drop_alone(who, "expired");
  }
}

/// Ends one work without its request.
void naive_scheduler::drop_alone(at who, const std::string& unrun) {
  auto& w = of(who);
  if (w.running()) {
    ++counted_.cancellation_after_submission;
    abandon(who);
  } else if (w.at == place::waiting) {
    drop(who, bucket::released, "released");
  } else {
    ++counted_.cancellation_before_submission;
    drop(who, unsubmitted(w), unrun);
  }
}

/// Queues what was put off until now, and looks after retained works.
void naive_scheduler::wake_due() {
  std::vector<at> due;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    for (const auto& w : lives_[i].works) {
      const auto age = now_ - w.abandoned_at;
      if ((w.at == place::delayed && *w.not_before <= now_)
          || (w.at == place::kept
              && ((rules_.reclaim && age >= *rules_.reclaim)
                  || (rules_.overdue && age >= *rules_.overdue
                      && !w.told_overdue))))
        due.emplace_back(i, w.id.sequence);
    }
  std::sort(due.begin(), due.end(),
            [&](at a, at b) { return of(a).id < of(b).id; });
  // From the last to the first, so that the first comes to the front.
  for (auto who = due.rbegin(); who != due.rend(); ++who)
    if (of(*who).at == place::delayed) {
      of(*who).at = place::queued;
      enter_queue(*who, true);
    }
  for (auto who : due)
    if (of(who).at == place::kept)
      watch(who);
}

/// Decision T12.
void naive_scheduler::watch(at who) {
  auto& w = of(who);
  const auto age = now_ - w.abandoned_at;
  if (rules_.overdue && age >= *rules_.overdue && !w.told_overdue) {
    w.told_overdue = true;
    out_.overdue.push_back(text(w.id) + ' ' + std::to_string(age));
  }
  if (rules_.reclaim && age >= *rules_.reclaim)
    drop(who, bucket::reclaimed, "reclaimed");
}

} // namespace turnstile::model
