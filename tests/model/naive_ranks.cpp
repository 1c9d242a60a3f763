// Turns in step with other ranks.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::model {

namespace {

/// What the other ranks saw of a work, given what this one saw.
seen seen_there(group_plan::skew skew, const work_id& id, seen here) {
  switch (skew) {
  case group_plan::skew::lags:
    return seen::nothing;
  case group_plan::skew::odd_failed:
    return id.sequence % 2 == 1 ? seen::failed : here;
  case group_plan::skew::all_done:
    return seen::complete;
  case group_plan::skew::none:
    break;
  }
  return here;
}

} // namespace

told naive_scheduler::distributed_turn(group_plan group, std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  begin(now);
  turn t;
  t.group = group;
  t.phase = 1;
  t.now = now;
  t.due = take_expired();
  look();
  if (!group.seed)
    apply_outcomes();
  t.works = at_backends();
  for (auto who : t.works)
    t.saw.push_back(of(who).saw);
  return ask(std::move(t));
}

told naive_scheduler::cancel_distributed(request_id id, group_plan group,
                                         std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  begin(now);
  turn t;
  t.group = group;
  t.phase = 3;
  t.now = now;
  t.cancelled = id;
  return ask(std::move(t));
}

told naive_scheduler::resume(group_plan::reply answer, std::int64_t now) {
  if (!turn_)
    return refused(errc::invalid_argument);
  begin(now);
  auto t = *turn_;
  t.group.answer = answer;
  turn_.reset();
  if (!t.group.seed)
    now_ = t.now; // the group's time is that of the turn
  return go_on(std::move(t));
}

/// With one rank there is nothing to ask; with none there is nobody.
told naive_scheduler::ask(turn t) {
  if (t.group.ranks < 2)
    return go_on(std::move(t));
  std::string words;
  if (t.phase == 1)
    words = "observation" + observation_words(t);
  else if (t.phase == 2)
    words = "schedule" + schedule_words(t);
  else
    words = "disposition " + to_string(t.cancelled) + " 1";
  world.note("gather " + words);
  if (!t.group.later)
    return go_on(std::move(t));
  out_.waiting = t.phase;
  turn_ = std::move(t);
  return whole();
}

told naive_scheduler::go_on(turn t) {
  const auto disagrees = t.group.answer != group_plan::reply::frames;
  if (t.group.ranks == 0 || (t.group.ranks > 1 && disagrees)) {
    poison_now();
    return whole();
  }
  if (t.phase == 1) {
    commits_wait_ = !t.group.seed;
    expire(t.due);
    settle_agreed(t);
    wake_due();
    prepare_some(wanted(), !t.group.seed);
    commits_wait_ = false;
    t.plan = prepared_;
    if (t.group.seed)
      t.plan.resize(std::min<std::uint64_t>(room(), prepared_.size()));
    else if (t.plan.empty() && tried_.empty())
      return whole(); // There is nothing more to agree on.
    t.phase = 2;
    return ask(std::move(t));
  }
  if (t.phase == 2) {
    settle_tried();
    settle_plan(t.plan);
    submit_some(t.group.ranks > 1);
    return whole();
  }
  return cancel(t.cancelled, now_);
}

void naive_scheduler::settle_agreed(const turn& t) {
  std::vector<at> done;
  std::vector<failed_work> failures;
  std::vector<at> pending;
  for (std::size_t i = 0; i < t.works.size(); ++i) {
    const auto who = t.works[i];
    auto& w = of(who);
    if (!w.live())
      continue;
    auto there = t.saw[i];
    if (t.group.ranks > 1)
      there = seen_there(t.group.seen, w.id, t.saw[i]);
    const auto all = [&](seen what) {
      return t.saw[i] == what && there == what;
    };
    const auto any = [&](seen what) {
      return t.saw[i] == what || there == what;
    };
    if (any(seen::failed) && any(seen::nothing))
      pending.push_back(who);
    else if (any(seen::failed) && w.at == place::kept)
      done.push_back(who); // The first cause stays.
    else if (any(seen::failed)) {
      note_late(who);
      failures.push_back({who, errc::distributed_completion});
    } else if (all(seen::complete))
      done.push_back(who);
  }
  settle(done, std::move(failures), false);
  std::vector<std::size_t> doomed;
  for (auto who : pending) {
    auto& w = of(who);
    if (!w.running())
      continue;
    doomed.push_back(who.first);
    if (w.at != place::flying)
      continue; // Without a slot it is abandoned with its request.
    w.at = place::failed_flying;
    w.armed = false;
  }
  for (auto which : doomed)
    if (lives_[which].status == request_status::active)
      retire(which, request_status::failed, errc::distributed_completion);
}

/// Decision R5: what cannot be applied is seen to fail, before any rank
/// commits.
void naive_scheduler::apply_outcomes() {
  for (auto who : at_backends()) {
    auto& w = of(who);
    if (w.saw != seen::complete || !w.running() || apply(who) == fault::none)
      continue;
    w.saw = seen::failed;
    w.why = errc::state;
  }
}

/// Tells commits that the ranks have not agreed on, as they went here.
void naive_scheduler::tell_tried() {
  for (const auto& [who, why] : std::exchange(tried_, {})) {
    if (why == errc::conflict)
      continue; // That was resolved at once.
    if (why)
      end_work(who, bucket::failed, work_lifecycle::failed, "", *why);
    else
      end_work(who, bucket::committed, work_lifecycle::committed, "");
  }
}

/// The other ranks have committed what this one has, and nothing else.
void naive_scheduler::settle_tried() {
  const auto tried = tried_;
  tell_tried();
  for (const auto& [who, why] : tried)
    if (why && *why != errc::conflict
        && lives_[who.first].status == request_status::active)
      retire(who.first, request_status::failed, why);
}

void naive_scheduler::settle_plan(const std::vector<at>& plan) {
  for (auto who : plan) {
    const auto why = of(who).unprepared;
    if (!why || of(who).at != place::prepared)
      continue;
    end_work(who, bucket::failed, work_lifecycle::failed, "", *why);
    if (lives_[who.first].status == request_status::active)
      retire(who.first, request_status::failed, why);
  }
}

std::string naive_scheduler::observation_words(const turn& t) const {
  std::string words;
  std::size_t requests = 0;
  for (std::size_t i = 0; i < t.due.size(); ++i)
    if (const auto id = of(t.due[i]).id.request;
        i == 0 || of(t.due[i - 1]).id.request != id) {
      words += ' ' + to_string(id);
      ++requests;
    }
  words = ' ' + std::to_string(requests) + words + ' '
          + std::to_string(t.works.size());
  for (std::size_t i = 0; i < t.works.size(); ++i) {
    const auto& id = of(t.works[i]).id;
    words += ' ' + to_string(id.request) + ' ' + std::to_string(id.life) + ' '
             + std::to_string(id.sequence) + ' '
             + std::to_string(static_cast<int>(t.saw[i]));
  }
  return words + " 0"; // no commands
}

std::string naive_scheduler::schedule_words(const turn& t) const {
  const auto identity = [](const work& w) {
    return ' ' + to_string(w.id.request) + ' ' + std::to_string(w.id.life) + ' '
           + std::to_string(w.id.sequence) + ' ';
  };
  auto words = ' ' + std::to_string(t.plan.size());
  for (auto who : t.plan) {
    const auto& w = of(who);
    words += identity(w);
    if (w.unprepared)
      words += std::to_string(static_cast<int>(*w.unprepared)) + " 0";
    else
      words += "0 1 " + std::to_string(w.what.payload);
  }
  words += ' ' + std::to_string(tried_.size());
  for (const auto& [who, why] : tried_)
    words +=
      identity(of(who)) + std::to_string(why ? static_cast<int>(*why) : 0);
  return words + " 0"; // no commands
}

} // namespace turnstile::model
