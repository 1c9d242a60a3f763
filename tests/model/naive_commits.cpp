// Publishing, and what keeps a work from it.
#include "tests/model/naive_scheduler.hpp"
#include "tests/model/words.hpp"

#include <algorithm>

namespace turnstile::model {

void naive_scheduler::complete_one(at who, std::vector<failed_work>& failures,
                                   std::vector<at>* missed) {
  if (lives_[who.first].ordered && first_in_order(who.first) != who) {
    leave(who);
    of(who).at = place::waiting;
    return;
  }
  if (auto why = commit(who))
    failures.push_back({who, *why});
  else
    commit_waiting(who.first, failures, missed);
}

/// Commits what waited for its siblings and is first now.
void naive_scheduler::commit_waiting(std::size_t which,
                                     std::vector<failed_work>& failures,
                                     std::vector<at>* missed) {
  for (auto next = first_in_order(which);
       next && of(*next).at == place::waiting; next = first_in_order(which)) {
    if (missed != nullptr && missed_commit(*next)) {
      missed->push_back(*next);
      return;
    }
    if (auto why = commit(*next)) {
      failures.push_back({*next, *why});
      return;
    }
  }
}

/// Returns why the request has to fail, if it has to.
std::optional<errc> naive_scheduler::commit(at who) {
  auto& w = of(who);
  auto& l = lives_[who.first];
  auto how = apply(who);
  if (how == fault::none) {
    const auto behind = l.commits - w.base;
    how = world.meet(l.id, user_call::commit,
                     std::to_string(*w.branch) + " behind "
                       + std::to_string(behind));
    if (how == fault::none && behind > 0 && world.permitted(l.id).strict)
      how = fault::conflicts;
    if (how == fault::fails || how == fault::throws)
      w.branch.reset(); // The commit has it.
  }
  if (how == fault::none) {
    l.state = *w.branch;
    ++l.commits;
    if (commits_wait_)
      set_aside(who, std::nullopt);
    else
      end_work(who, bucket::committed, work_lifecycle::committed, "");
    ask_permissions(who.first);
    return std::nullopt;
  }
  const auto rolled_back = how == fault::conflicts && discard(who);
  if (!rolled_back && !commits_wait_)
    return errc::state;
  if (!rolled_back) {
    discard(who);
    set_aside(who, errc::state);
    return std::nullopt;
  }
  if (commits_wait_)
    tried_.push_back({who, errc::conflict});
  if (w.conflicts >= rules_.conflicts) {
    end_work(who, bucket::failed, work_lifecycle::failed, "", errc::conflict);
    return std::nullopt;
  }
  ++w.conflicts;
  put_back(who, std::nullopt);
  out_.requeued.push_back(text(w.id));
  return std::nullopt;
}

/// Puts what the completion carried into the branch, once.
fault naive_scheduler::apply(at who) {
  auto& w = of(who);
  if (!w.outcome || w.applied)
    return fault::none;
  w.applied = true;
  auto how =
    world.meet(w.id.request, user_call::apply, std::to_string(*w.outcome));
  if (how == fault::conflicts)
    how = fault::fails; // Only a commit can conflict.
  if (how == fault::none) {
    *w.branch += *w.outcome;
    ++*w.outcome;
  }
  return how;
}

/// Tells nobody of a commit before all ranks are known to have made it.
void naive_scheduler::set_aside(at who, std::optional<errc> why) {
  auto& w = of(who);
  leave(who);
  w.armed = false;
  w.branch.reset();
  w.at = place::held;
  tried_.push_back({who, why});
}

/// Decision T19: back to the front of its request, or beside the queue.
void naive_scheduler::put_back(at who, std::optional<std::int64_t> not_before) {
  auto& w = of(who);
  const auto keeps_turn = w.at == place::resuming && !not_before;
  if (keeps_turn)
    std::erase(lives_[who.first].queue, who.second);
  else
    leave(who);
  w.output.reset();
  w.outcome.reset();
  w.applied = false;
  w.saw = seen::nothing;
  w.resources = 0;
  w.late = false;
  w.armed = w.what.deadline.has_value();
  ++counted_.requeues;
  w.not_before = not_before;
  w.at = not_before ? place::delayed : place::queued;
  if (!not_before)
    enter_queue(who, true);
}

} // namespace turnstile::model
