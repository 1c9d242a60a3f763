// How works and requests end.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

namespace {

/// Remembers an end that was no commit. Only so many runs of equal ends are
/// remembered: beyond, the lowest is forgotten with all below it.
void remember_exception(life& l, std::uint64_t sequence, std::uint64_t bound) {
  if (sequence < l.known_from)
    return;
  l.exception.push_back(sequence);
  std::sort(l.exception.begin(), l.exception.end());
  std::uint64_t runs = 0;
  std::uint64_t lowest_ends = 0;
  for (std::size_t i = 0; i < l.exception.size(); ++i) {
    const auto here = l.exception[i];
    if (i == 0 || l.exception[i - 1] + 1 != here
        || l.works[here - 1].last != l.works[here].last)
      ++runs;
    if (runs == 1)
      lowest_ends = here;
  }
  if (runs > bound) {
    l.known_from = lowest_ends + 1;
    std::erase_if(l.exception, [&](auto s) { return s < l.known_from; });
  }
}

} // namespace

/// Whether the work's branch, if it has one, could be rolled back.
bool naive_scheduler::discard(at who) {
  auto& w = of(who);
  if (!w.branch)
    return true;
  const auto how =
    world.meet(w.id.request, user_call::discard, std::to_string(*w.branch));
  w.branch.reset();
  return how == fault::none;
}

/// Decision T21: what must be durable first is held back, in order.
void naive_scheduler::end_work(at who, bucket how, work_lifecycle last,
                               std::string reason, errc why) {
  auto& w = of(who);
  leave(who);
  w.armed = false;
  w.branch.reset();
  if (!rules_.hold) {
    tell_work(who, how, last, reason, why);
    return;
  }
  w.at = place::held;
  out_.facts.push_back(fact_line(++facts_, w.id.request, w.id.life,
                                 w.id.sequence, last, request_status::active));
  held_.push_back({facts_, who, 0, how, last, std::move(reason), why});
}

void naive_scheduler::tell_work(at who, bucket how, work_lifecycle last,
                                const std::string& reason, errc why) {
  auto& l = lives_[who.first];
  auto& w = of(who);
  w.at = place::gone;
  w.how = how;
  w.last = last;
  if (how == bucket::committed)
    out_.committed.push_back(
      committed_line(w.id, w.what.payload, w.output, w.outcome, w.late));
  else if (how == bucket::failed)
    out_.failed.push_back(failed_line(w.id, why, w.what.payload));
  else
    out_.dropped.push_back(dropped_line(w.id, reason, last, w.what.payload));
  if (last != work_lifecycle::committed)
    remember_exception(l, w.id.sequence, rules_.exceptions);
  if (l.status != request_status::active && !l.untold
      && count_live(who.first) == 0)
    droppable_.push_back(who.first);
}

/// Decision T10: discarded means that it never ran.
bucket naive_scheduler::unsubmitted(const work& w) {
  return w.submissions > 0 ? bucket::released : bucket::discarded;
}

/// Ends a work that cannot publish any more. A branch that cannot be rolled
/// back fails it, and its request with it.
void naive_scheduler::drop(at who, bucket how, const std::string& reason) {
  if (discard(who)) {
    end_work(who, how, work_lifecycle::abandoned, reason);
    return;
  }
  end_work(who, bucket::failed, work_lifecycle::failed, "", errc::state);
  if (lives_[who.first].status == request_status::active)
    retire(who.first, request_status::failed, errc::state);
}

/// Takes the right to publish; the backend keeps the work until it is done.
void naive_scheduler::abandon(at who) {
  auto& w = of(who);
  read_resources(w);
  w.in_slot = w.at == place::flying;
  leave(who);
  w.at = place::kept;
  w.armed = false;
  w.abandoned_at = now_;
  out_.abandoned.push_back(text(w.id));
  note_peaks();
}

void naive_scheduler::retire(std::size_t which, request_status how,
                             std::optional<errc> why) {
  const auto by_cancel = how == request_status::cancelled
                         || how == request_status::deadline_exceeded;
  const auto by_failure = how == request_status::failed;
  for (std::uint64_t s = 0; s < lives_[which].works.size(); ++s) {
    const at who{which, s};
    auto& w = of(who);
    if (w.running()) {
      counted_.cancellation_after_submission += by_cancel ? 1 : 0;
      abandon(who);
      continue;
    }
    if (!w.may_publish())
      continue;
    const auto ran = w.at == place::waiting;
    const auto fails =
      by_failure && !ran && (w.at != place::prepared || poisoned_);
    counted_.cancellation_before_submission += by_cancel && !ran ? 1 : 0;
    if (!discard(who)) {
      if (how != request_status::failed)
        why = errc::state;
      how = request_status::failed;
      end_work(who, bucket::failed, work_lifecycle::failed, "", errc::state);
    } else {
      end_work(who, ran ? bucket::released : unsubmitted(w),
               fails ? work_lifecycle::failed : work_lifecycle::abandoned,
               ran ? "released" : "with_request");
    }
  }
  auto& l = lives_[which];
  l.status = how;
  l.why = why;
  switch (how) {
  case request_status::finished:
    ++counted_.finished_requests;
    break;
  case request_status::cancelled:
    ++counted_.cancelled_requests;
    break;
  case request_status::deadline_exceeded:
    ++counted_.deadline_expired_requests;
    break;
  default:
    ++counted_.failed_requests;
  }
  if (rules_.hold) {
    l.untold = true;
    out_.facts.push_back(fact_line(++facts_, l.id, l.number, std::nullopt,
                                   work_lifecycle::committed, how));
    held_.push_back({facts_, std::nullopt, which, bucket::none,
                     work_lifecycle::committed, "", errc::state});
    return;
  }
  l.in_news = true;
  states_.push_back(which);
  if (count_live(which) == 0)
    droppable_.push_back(which);
  out_.ended.push_back(ended_line(l.id, l.number, how, why));
}

told naive_scheduler::poison(std::int64_t now) {
  begin(now);
  turn_.reset();
  poison_now();
  return whole();
}

/// Decision T15: active requests end as failed, in the order of identity.
void naive_scheduler::poison_now() {
  if (poisoned_)
    return;
  poisoned_ = true;
  tell_tried();
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    if (lives_[i].status == request_status::active)
      all.push_back(i);
  std::sort(all.begin(), all.end(),
            [&](auto a, auto b) { return lives_[a].id < lives_[b].id; });
  for (auto which : all)
    retire(which, request_status::failed, errc::poisoned);
  out_.poisoned = true;
}

} // namespace turnstile::model
