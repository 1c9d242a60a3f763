// Preparation and submission, and the turns made of them.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

/// One branch per request and round; a failed try counts.
void naive_scheduler::prepare_some(std::uint64_t limit, bool defer_failures) {
  for (std::uint64_t tries = 0; tries < limit; ++tries) {
    auto next = std::find_if(ready_.begin(), ready_.end(),
                             [&](auto which) { return !is_blocked(which); });
    if (next == ready_.end())
      return;
    std::rotate(ready_.begin(), next, ready_.end());
    const auto which = ready_.front();
    const at who{which, lives_[which].queue.front()};
    ready_.erase(ready_.begin());
    lives_[which].queue.erase(lives_[which].queue.begin());
    if (!lives_[which].queue.empty())
      ready_.push_back(which);
    auto& w = of(who);
    prepared_.push_back(who);
    if (w.at == place::resuming) {
      w.at = place::regaining;
      continue;
    }
    w.at = place::prepared;
    w.base = lives_[which].commits;
    if (auto why = branch_off(who); why && defer_failures) {
      w.unprepared = why;
    } else if (why) {
      end_work(who, bucket::failed, work_lifecycle::failed, "", *why);
      retire(which, request_status::failed, *why);
    } else {
      ++out_.prepared;
    }
  }
}

std::optional<errc> naive_scheduler::branch_off(at who) {
  auto& w = of(who);
  const auto& l = lives_[who.first];
  if (w.what.slice_throws || w.what.slice == 0 || w.what.slice > rules_.slice)
    return errc::descriptor;
  if (w.what.describe != fault::none)
    return errc::descriptor;
  if (world.meet(l.id, user_call::branch, std::to_string(*l.state))
      != fault::none)
    return errc::state;
  w.branch = l.state;
  return std::nullopt;
}

void naive_scheduler::submit_some(bool defer_failures) {
  const auto capacity = room();
  auto submitted = false;
  for (std::uint64_t tries = 0; tries < capacity && !prepared_.empty();
       ++tries) {
    const auto who = prepared_.front();
    auto& w = of(who);
    if (w.at == place::regaining) {
      out_.resumed.push_back(text(w.id) + " #" + std::to_string(w.submissions));
    } else if (auto why = execute(who)) {
      if (!defer_failures) {
        discard(who);
        end_work(who, bucket::failed, work_lifecycle::failed, "", *why);
        retire(who.first, request_status::failed, *why);
        continue;
      }
      w.saw = seen::failed;
      w.why = *why;
      ++w.submissions;
    } else {
      ++w.submissions;
      read_resources(w);
      out_.submitted.push_back(text(w.id) + " #"
                               + std::to_string(w.submissions));
    }
    prepared_.erase(prepared_.begin());
    w.at = place::flying;
    w.submitted_at = ++submissions_;
    w.armed = w.armed && w.what.until_commit;
    submitted = true;
    note_peaks();
  }
  counted_.drain_cycles += submitted ? 1 : 0;
}

/// Returns why the backend did not take the work, if it did not.
std::optional<errc> naive_scheduler::execute(at who) {
  auto& w = of(who);
  const auto how =
    world.execute(w.id, w.submissions + 1, w.what.deadline.value_or(INT64_MAX),
                  w.what.payload, *w.branch);
  if (how != fault::none)
    return errc::submission;
  w.output = world.newest_output();
  const auto& made = world.output(*w.output).made_by;
  all_preemptible_ = all_preemptible_ && made.preemptible && !made.shy;
  if (made.backend.empty() || made.shy)
    return std::nullopt;
  for (auto& [name, preemptible] : backends_)
    if (name == made.backend) {
      preemptible = made.preemptible;
      return std::nullopt;
    }
  backends_.emplace_back(made.backend, made.preemptible);
  return std::nullopt;
}

told naive_scheduler::prepare(std::uint64_t limit, std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  if (limit == 0)
    return refused(errc::capacity);
  begin(now);
  expire(take_expired());
  wake_due();
  prepare_some(limit);
  return whole();
}

told naive_scheduler::submit(std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  begin(now);
  expire(take_expired());
  wake_due();
  submit_some(false);
  return whole();
}

told naive_scheduler::local_turn(std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  begin(now);
  settle();
  expire(take_expired());
  wake_due();
  prepare_some(wanted());
  submit_some(false);
  if (rules_.polled)
    settle();
  return whole();
}

} // namespace turnstile::model
