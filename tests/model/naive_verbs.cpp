// What callers ask for requests and works.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

std::optional<errc> naive_scheduler::may_change() const {
  if (poisoned_)
    return errc::poisoned;
  if (turn_)
    return errc::turn_in_progress;
  return std::nullopt;
}

told naive_scheduler::refused(errc code) {
  told answer;
  answer.said = refusal(code);
  return answer;
}

/// From here on, what was told before may be dropped.
void naive_scheduler::forget_news() {
  for (auto& l : lives_)
    l.in_news = false;
}

void naive_scheduler::begin(std::int64_t now) {
  out_ = {};
  now_ = now;
  forget_news();
}

told naive_scheduler::whole(std::string said) {
  trim();
  out_.said = std::move(said);
  out_.wake = next_wake(now_);
  return out_;
}

told naive_scheduler::validate(request_id id) {
  if (auto why = may_change())
    return refused(*why);
  if (owner(id))
    return refused(errc::duplicate_request);
  if (active_requests() >= rules_.active)
    return refused(errc::capacity);
  told answer;
  answer.said = "ok";
  return answer;
}

told naive_scheduler::register_request(request_id id, std::uint64_t value) {
  auto answer = validate(id);
  if (answer.said != "ok")
    return answer;
  forget_news();
  life fresh;
  fresh.id = id;
  fresh.number = lives_.size();
  fresh.state = value;
  lives_.push_back(fresh);
  ask_permissions(lives_.size() - 1);
  return answer;
}

void naive_scheduler::ask_permissions(std::size_t which) {
  const auto said = world.permitted(lives_[which].id);
  lives_[which].parallel = said.parallel && !said.throws;
  lives_[which].ordered = said.ordered || said.throws;
}

told naive_scheduler::finish(request_id id, std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  if (auto which = owner(id))
    for (const auto& w : lives_[*which].works)
      if (w.at_backend() || w.at == place::waiting || w.at == place::held)
        return refused(errc::state);
  auto which = active(id);
  if (!which)
    return refused(errc::unknown_request);
  begin(now);
  retire(*which, request_status::finished, std::nullopt);
  return whole();
}

told naive_scheduler::cancel(request_id id, std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  auto which = owner(id);
  if (!which)
    return refused(errc::unknown_request);
  if (lives_[*which].status != request_status::active)
    return refused(errc::state);
  begin(now);
  retire(*which, request_status::cancelled, errc::cancelled);
  return whole();
}

told naive_scheduler::cancel_work(const work_id& id, std::int64_t now) {
  if (auto why = may_change())
    return refused(*why);
  auto who = find(id);
  if (!who)
    return refused(errc::unknown_work);
  if (!of(*who).may_publish())
    return refused(errc::state);
  begin(now);
  drop_alone(*who, "cancelled");
  std::vector<failed_work> failures;
  commit_waiting(who->first, failures, nullptr);
  resolve(std::move(failures));
  return whole();
}

told naive_scheduler::release(request_id id) {
  auto which = owner(id);
  if (!which)
    return refused(errc::unknown_request);
  auto& l = lives_[*which];
  const auto was_active = l.status == request_status::active;
  if (auto why = may_change(); was_active && why)
    return refused(*why);
  if (was_active ? count_live(*which) > 0 : l.untold && l.state.has_value())
    return refused(errc::state);
  if (!l.state)
    return refused(errc::unknown_request);
  told answer;
  answer.said =
    "released " + std::to_string(*l.state) + ' ' + std::to_string(l.commits);
  l.state.reset();
  std::erase(states_, *which);
  if (was_active) {
    l.status = request_status::finished;
    l.freed = true;
    droppable_.push_back(*which);
    trim();
  }
  return answer;
}

told naive_scheduler::forget(request_id id) {
  auto which = owner(id);
  if (which)
    for (const auto& w : lives_[*which].works)
      if (w.at_backend() || w.at == place::waiting || w.at == place::held)
        return refused(errc::state);
  if (which && lives_[*which].untold)
    return refused(errc::state);
  if (!which || lives_[*which].status == request_status::active)
    return refused(errc::unknown_request);
  auto& l = lives_[*which];
  l.freed = true;
  l.state.reset();
  std::erase(states_, *which);
  told answer;
  answer.said = "forgot " + std::string{to_string(l.status)};
  trim();
  return answer;
}

told naive_scheduler::edit(request_id id, std::uint64_t add, bool throws) {
  if (auto why = may_change())
    return refused(*why);
  if (auto which = owner(id))
    for (const auto& w : lives_[*which].works)
      if (w.live() && w.at != place::queued && w.at != place::delayed)
        return refused(errc::state);
  auto which = active(id);
  if (!which)
    return refused(errc::unknown_request);
  *lives_[*which].state += add;
  ask_permissions(*which);
  if (throws)
    return refused(errc::state);
  told answer;
  answer.said = "ok";
  return answer;
}

told naive_scheduler::refresh(request_id id) {
  if (auto which = active(id))
    ask_permissions(*which);
  told answer;
  answer.said = "ok";
  return answer;
}

told naive_scheduler::enqueue(request_id id, const std::vector<order>& orders) {
  if (auto why = may_change())
    return refused(*why);
  if (accepted_now() + orders.size() > rules_.accepted)
    return refused(errc::capacity);
  auto which = active(id);
  if (!which)
    return refused(errc::unknown_request);
  if (count_live(*which) + orders.size() > rules_.accepted_of_one)
    return refused(errc::capacity);
  told answer;
  answer.said = "accepted";
  for (const auto& what : orders) {
    auto& l = lives_[*which];
    work fresh;
    fresh.id = {id, l.works.size(), l.number};
    fresh.what = what;
    fresh.armed = what.deadline.has_value();
    l.works.push_back(fresh);
    enter_queue({*which, fresh.id.sequence}, false);
    answer.said += ' ' + text(fresh.id);
  }
  note_peaks();
  return answer;
}

} // namespace turnstile::model
