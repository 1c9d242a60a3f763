// Completions and failures.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

told naive_scheduler::observe(const work_id& id, completion what,
                              std::uint32_t number) {
  told answer;
  answer.said = "stale";
  auto who = find(id);
  if (!who || !of(*who).at_backend() || of(*who).saw != seen::nothing
      || (number != 0 && number != of(*who).submissions)) {
    ++counted_.stale_completions;
    return answer;
  }
  auto& w = of(*who);
  w.saw = what.failed ? seen::failed : seen::complete;
  if (what.failed)
    w.why = *what.failed == errc::conflict ? errc::completion : *what.failed;
  else
    w.outcome = what.outcome;
  answer.said = "noted";
  return answer;
}

told naive_scheduler::complete(const work_id& id, completion what,
                               std::uint32_t number, std::int64_t now) {
  observe(id, what, number);
  return poll(now);
}

told naive_scheduler::poll(std::int64_t now) {
  begin(now);
  if (!turn_)
    settle();
  if (poisoned_)
    wake_due(); // Only retained works are left to be woken for.
  return whole();
}

/// Every work that a backend has, in the order of submission.
std::vector<at> naive_scheduler::at_backends() const {
  std::vector<at> found;
  for (std::size_t i = 0; i < lives_.size(); ++i)
    for (const auto& w : lives_[i].works)
      if (w.at_backend())
        found.emplace_back(i, w.id.sequence);
  std::sort(found.begin(), found.end(), [&](at a, at b) {
    return of(a).submitted_at < of(b).submitted_at;
  });
  return found;
}

/// Asks every output that can be asked and has not said the last word.
void naive_scheduler::look() {
  for (auto who : at_backends()) {
    auto& w = of(who);
    if (!rules_.polled || w.saw != seen::nothing || !w.output)
      continue;
    const auto& output = world.output(*w.output);
    if (output.now == stage::pending)
      read_resources(w);
    else if (output.now == stage::done)
      w.saw = seen::complete;
    else
      w.saw = seen::failed;
    w.why = errc::completion;
    note_peaks();
  }
}

void naive_scheduler::settle() {
  look();
  auto done = at_backends();
  std::erase_if(done, [&](at who) { return of(who).saw == seen::nothing; });
  settle(done, {}, true);
}

/// Decision T2: first the successes in the order of submission, then the
/// failures, then what can publish no more. Where time decides alone
/// (`expires`), what missed its commit is among the last.
void naive_scheduler::settle(const std::vector<at>& done,
                             std::vector<failed_work> failures, bool expires) {
  std::vector<at> last;
  auto* missed = expires ? &last : nullptr;
  for (auto who : done) {
    auto& w = of(who);
    note_late(who);
    if (w.at == place::failed_flying)
      failures.push_back({who, errc::distributed_completion});
    else if (w.at == place::kept || (expires && missed_commit(who)))
      last.push_back(who);
    else if (w.saw == seen::failed)
      failures.push_back({who, w.why});
    else
      complete_one(who, failures, missed);
  }
  resolve(std::move(failures));
  for (std::size_t i = 0; i < last.size(); ++i) {
    const auto who = last[i];
    if (of(who).may_publish())
      expire_one(who);
    if (of(who).at == place::kept)
      release_kept(who);
    std::vector<failed_work> more;
    commit_waiting(who.first, more, missed);
    resolve(std::move(more));
  }
}

void naive_scheduler::note_late(at who) {
  auto& w = of(who);
  if (!w.what.deadline || *w.what.deadline > now_)
    return;
  w.late = true;
  ++counted_.late_completions;
}

/// Decision T7: a deadline that lasts until the commit.
bool naive_scheduler::missed_commit(at who) const {
  const auto& what = of(who).what;
  return what.until_commit && what.deadline && *what.deadline <= now_;
}

void naive_scheduler::release_kept(at who) {
  const auto latency = static_cast<std::uint64_t>(now_ - of(who).abandoned_at);
  counted_.last_cancellation_to_release_ns = latency;
  counted_.max_cancellation_to_release_ns =
    std::max(counted_.max_cancellation_to_release_ns.value_or(0), latency);
  drop(who, bucket::released, "released");
}

/// Ends the works that failed, then their requests.
void naive_scheduler::resolve(std::vector<failed_work> failures) {
  std::stable_sort(failures.begin(), failures.end(),
                   [&](const auto& a, const auto& b) {
                     return of(a.who).submitted_at < of(b.who).submitted_at;
                   });
  for (const auto& [who, why] : failures) {
    discard(who);
    end_work(who, bucket::failed, work_lifecycle::failed, "", why);
  }
  for (const auto& [who, why] : failures)
    if (lives_[who.first].status == request_status::active)
      retire(who.first, request_status::failed, why);
}

} // namespace turnstile::model
