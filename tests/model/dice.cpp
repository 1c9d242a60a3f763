#include "tests/model/dice.hpp"

#include <array>
#include <numeric>
#include <utility>

namespace turnstile::model {

namespace {

/// How often each verb comes, in shares.
constexpr std::array<std::pair<verb, std::uint64_t>, verbs> shares{{
  {verb::validate, 1},
  {verb::register_request, 12},
  {verb::finish, 3},
  {verb::cancel, 3},
  {verb::cancel_work, 4},
  {verb::release, 4},
  {verb::forget, 4},
  {verb::edit, 2},
  {verb::refresh, 2},
  {verb::enqueue, 26},
  {verb::requeue, 4},
  {verb::park, 4},
  {verb::unpark, 4},
  {verb::resources_changed, 2},
  {verb::observe, 9},
  {verb::complete, 7},
  {verb::poll, 5},
  {verb::prepare, 6},
  {verb::submit, 6},
  {verb::local_turn, 22},
  {verb::distributed_turn, 5},
  {verb::cancel_distributed, 1},
  {verb::resume, 3},
  {verb::durable, 6},
  {verb::poison, 0}, // rarely: see below
  {verb::plan_fault, 5},
  {verb::permit, 5},
  {verb::plan_execution, 5},
  {verb::set_stage, 10},
  {verb::set_resources, 3},
}};

} // namespace

rules dice::some_rules() {
  rules r;
  const auto crowded = one_in(5);
  requests_ = r.requests = crowded ? 16 : 5;
  r.active = crowded ? 16 : 1 + below(5);
  r.accepted = 1 + below(crowded ? 60 : 20);
  r.per_turn = 1 + below(4);
  r.slots = 1 + below(crowded ? 20 : 6);
  r.slots_of_one = 1 + below(4);
  r.slice = 1 + below(3);
  if (one_in(3))
    r.accepted_of_one = 1 + below(6);
  r.ended = below(5);
  r.states = below(4);
  r.exceptions = 1 + below(4);
  r.conflicts = static_cast<std::uint32_t>(below(4));
  if (one_in(3))
    r.reclaim = 1 + below(60);
  if (one_in(3))
    r.overdue = 1 + below(60);
  r.hold = one_in(4);
  return r;
}

verb dice::some_verb() {
  if (!calm_ && one_in(200))
    return verb::poison;
  static const auto all = std::accumulate(
    shares.begin(), shares.end(), std::uint64_t{0},
    [](auto sum, const auto& share) { return sum + share.second; });
  auto thrown = below(all);
  for (const auto& [what, share] : shares) {
    if (thrown < share)
      return what;
    thrown -= share;
  }
  return verb::poll;
}

/// Mostly one that is active, unless it is to be registered.
request_id dice::some_request(const naive_scheduler& m, bool active) {
  std::vector<request_id> meant;
  for (const auto& l : m.lives())
    if (l.status == request_status::active)
      meant.push_back(l.id);
  if (active && !meant.empty() && !one_in(4))
    return meant[below(meant.size())];
  return {below(requests_)};
}

/// Mostly one that lives, sometimes one that ended or never was.
work_id dice::some_work(const naive_scheduler& m, bool running) {
  std::vector<work_id> meant;
  std::vector<work_id> others;
  for (const auto& l : m.lives())
    for (const auto& w : l.works)
      (w.running() || (!running && w.at_backend()) ? meant : others)
        .push_back(w.id);
  if (!meant.empty() && !one_in(10))
    return meant[below(meant.size())];
  if (!others.empty() && !one_in(10))
    return others[below(others.size())];
  return {{below(requests_)}, below(3), below(m.lives().size() + 1)};
}

order dice::some_order(std::int64_t now) {
  order what;
  what.payload = static_cast<std::uint32_t>(below(100));
  what.slice = one_in(30) ? below(5) : 1;
  what.slice_throws = one_in(150);
  if (one_in(60))
    what.describe = some_fault(false);
  if (one_in(4)) {
    what.deadline = now + static_cast<std::int64_t>(below(60));
    what.alone = !one_in(3);
    what.until_commit = one_in(2);
  }
  return what;
}

fault dice::some_fault(bool conflicts) {
  const auto thrown = below(conflicts ? 4 : 2);
  return thrown == 0   ? fault::fails
         : thrown == 1 ? fault::throws
                       : fault::conflicts;
}

execution dice::some_execution() {
  static constexpr const char* names[] = {"", "a", "b", "c"};
  execution next;
  if (one_in(8))
    next.refuses = some_fault(true);
  if (one_in(12))
    next.shy = true;
  next.at_once = static_cast<stage>(one_in(6) ? below(4) : one_in(3));
  next.backend = names[below(4)];
  next.preemptible = one_in(2);
  next.resources = below(4);
  return next;
}

group_plan dice::some_group() {
  group_plan group;
  group.ranks = one_in(3) ? 1 : 2 + below(2);
  if (!calm_ && one_in(20))
    group.ranks = 0;
  if (group.ranks == 2)
    group.seen = static_cast<group_plan::skew>(below(4));
  group.later = one_in(3);
  group.seed = one_in(3);
  if (!calm_ && one_in(20))
    group.answer = static_cast<group_plan::reply>(1 + below(3));
  return group;
}

errc dice::some_failure() {
  static constexpr errc codes[] = {errc::completion, errc::backend_lost,
                                   errc::conflict};
  return codes[below(3)];
}

operation dice::some_operation(const naive_scheduler& m, std::int64_t now) {
  operation op;
  op.what = some_verb();
  op.now = now;
  if (m.phase() != 0 && one_in(2))
    op.what = verb::resume;
  op.request = some_request(m, op.what != verb::register_request);
  op.number = below(5);
  switch (op.what) {
  case verb::enqueue:
    for (auto left = one_in(3) ? below(4) : 1; left > 0; --left)
      op.orders.push_back(some_order(now));
    for (auto& what : op.orders) { // a batch has one deadline
      what.deadline = op.orders.front().deadline;
      what.alone = op.orders.front().alone;
      what.until_commit = op.orders.front().until_commit;
    }
    break;
  case verb::requeue:
    if (one_in(2))
      op.at = now + static_cast<std::int64_t>(below(30)) - 3;
    [[fallthrough]];
  case verb::park:
  case verb::unpark:
    op.work = some_work(m, true);
    break;
  case verb::cancel_work:
    op.work = some_work(m, one_in(2));
    break;
  case verb::observe:
  case verb::complete:
    op.number = one_in(3) ? 1 + below(2) : 0;
    op.done.outcome = static_cast<std::uint32_t>(below(9));
    if (one_in(6))
      op.done.failed = some_failure();
    [[fallthrough]];
  case verb::resources_changed:
  case verb::set_stage:
  case verb::set_resources:
    op.work = some_work(m, false);
    op.becomes = static_cast<stage>(one_in(5) ? below(4) : 1);
    break;
  case verb::distributed_turn:
  case verb::cancel_distributed:
  case verb::resume:
    op.group = some_group();
    break;
  case verb::durable:
    op.number = m.newest_fact() - below(m.newest_fact() + 1) / 3;
    break;
  case verb::plan_fault:
    op.call = one_in(2) ? user_call::commit : static_cast<user_call>(below(4));
    op.how =
      some_fault(op.call == user_call::apply || op.call == user_call::commit);
    op.number = one_in(3) ? 0 : 1 + below(3);
    break;
  case verb::permit:
    op.permitted = {!one_in(4), one_in(2), one_in(3), one_in(12)};
    break;
  case verb::plan_execution:
    op.next = some_execution();
    break;
  default:
    break;
  }
  return op;
}

} // namespace turnstile::model
