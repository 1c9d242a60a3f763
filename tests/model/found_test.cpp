// Differences between core and model that random sequences have found. Each was
// the core's fault, and its script is kept here with what is right.
#include "tests/catch.hpp"
#include "tests/model/explore.hpp"

using namespace turnstile;
using namespace turnstile::model;

namespace {

constexpr request_id request{3};

work_id work(std::uint64_t sequence) {
  return {request, sequence, 0};
}

operation step(verb what, std::int64_t now) {
  operation op;
  op.what = what;
  op.now = now;
  op.request = request;
  return op;
}

operation step(verb what, std::int64_t now, std::uint64_t sequence) {
  auto op = step(what, now);
  op.work = work(sequence);
  op.becomes = stage::done;
  return op;
}

operation enqueue(std::vector<order> orders) {
  auto op = step(verb::enqueue, 0);
  op.orders = std::move(orders);
  return op;
}

operation among_ranks(std::int64_t now,
                      group_plan::skew seen = group_plan::skew::none) {
  auto op = step(verb::distributed_turn, now);
  op.group.ranks = 2;
  op.group.seen = seen;
  return op;
}

/// The same by the rules of a group, whose answers come with `resume`.
operation begun_among_ranks(std::int64_t now) {
  auto op = among_ranks(now);
  op.group.seed = false;
  op.group.later = true;
  return op;
}

/// A request that permits parallel branches and wants commits in order.
operation ordered_and_parallel() {
  auto op = step(verb::permit, 0);
  op.permitted.parallel = true;
  op.permitted.ordered = true;
  return op;
}

rules roomy() {
  rules r;
  r.per_turn = 4;
  r.slots_of_one = 4;
  return r;
}

/// Its deadline ends it alone, and counts until it commits.
order due_until_commit(std::int64_t deadline) {
  order what;
  what.deadline = deadline;
  what.alone = true;
  what.until_commit = true;
  return what;
}

} // namespace

TEST_CASE("a completion that was requeued away wakes nobody", "[model]") {
  auto put_off = step(verb::requeue, 3, 0);
  put_off.at = 9;

  auto told = replay_both(roomy(), {
                                     step(verb::register_request, 0),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::observe, 2, 0),
                                     put_off,
                                   });

  CHECK(told.wake == "9");
}

TEST_CASE("a parked work that waits for its slot is asked, too", "[model]") {
  auto told = replay_both(roomy(), {
                                     step(verb::register_request, 0),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::park, 2, 0),
                                     step(verb::unpark, 3, 0),
                                     step(verb::set_stage, 4, 0),
                                     step(verb::poll, 4),
                                   });

  CHECK(told.committed.size() == 1);
}

TEST_CASE("what all ranks agree is done is not reclaimed", "[model]") {
  auto with_journal = roomy();
  with_journal.hold = true;
  with_journal.reclaim = 10;

  auto told = replay_both(with_journal, {
                                          step(verb::register_request, 0),
                                          enqueue({{}}),
                                          step(verb::local_turn, 1),
                                          step(verb::cancel, 2),
                                          step(verb::observe, 3, 0),
                                          among_ranks(50),
                                          [] {
                                            auto op = step(verb::durable, 51);
                                            op.number = 9;
                                            return op;
                                          }(),
                                        });

  CHECK(told.dropped == lines{"3/0@0 released abandoned payload 0"});
}

TEST_CASE("a waiting sibling does not commit after the deadline of its commit",
          "[model]") {
  auto told = replay_both(roomy(), {
                                     ordered_and_parallel(),
                                     step(verb::register_request, 0),
                                     enqueue({{}}),
                                     enqueue({due_until_commit(9)}),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::complete, 2, 1),
                                     step(verb::complete, 3, 2),
                                     step(verb::complete, 9, 0),
                                   });

  CHECK(told.committed.size() == 2);
  CHECK(told.dropped == lines{"3/1@0 released abandoned payload 0"});
}

TEST_CASE("siblings that are due at once end before those behind them commit",
          "[model]") {
  auto told = replay_both(roomy(), {
                                     ordered_and_parallel(),
                                     step(verb::register_request, 0),
                                     enqueue({due_until_commit(9)}),
                                     enqueue({due_until_commit(9)}),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::complete, 2, 1),
                                     step(verb::complete, 3, 2),
                                     step(verb::submit, 9),
                                   });

  CHECK(told.abandoned == lines{"3/0@0"});
  CHECK(told.dropped == lines{"3/1@0 released abandoned payload 0"});
  CHECK(told.committed.size() == 1);
}

TEST_CASE("a parked work that fails on another rank ends its request",
          "[model]") {
  auto failed = step(verb::observe, 3, 0);
  failed.done.failed = errc::completion;

  auto told = replay_both(roomy(), {
                                     step(verb::register_request, 0),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::park, 2, 0),
                                     failed,
                                     among_ranks(4, group_plan::skew::lags),
                                   });

  CHECK(told.ended == lines{"3@0 failed distributed_completion"});
}

TEST_CASE("an ordered sibling does not overtake a work that failed elsewhere",
          "[model]") {
  auto told =
    replay_both(roomy(), {
                           ordered_and_parallel(),
                           step(verb::register_request, 0),
                           enqueue({{}, {}, {}}),
                           step(verb::local_turn, 1),
                           step(verb::observe, 2, 0),
                           step(verb::observe, 2, 2),
                           among_ranks(3, group_plan::skew::odd_failed),
                         });

  CHECK(told.committed.size() == 1);
  CHECK(told.ended == lines{"3@0 failed distributed_completion"});
}

TEST_CASE("a work whose conflict failed it alone is not told again by poison",
          "[model]") {
  auto r = roomy();
  r.hold = true;
  r.conflicts = 0;
  auto conflict = step(verb::plan_fault, 2);
  conflict.call = user_call::commit;
  conflict.how = fault::conflicts;
  conflict.number = 1;
  auto durable = step(verb::durable, 6);
  durable.number = 9;

  auto told = replay_both(r, {
                               step(verb::register_request, 0),
                               enqueue({{}}),
                               step(verb::local_turn, 1),
                               conflict,
                               step(verb::set_stage, 2, 0),
                               begun_among_ranks(3),
                               step(verb::resume, 4),
                               step(verb::poison, 5),
                               durable,
                             });

  CHECK(told.failed.size() == 1);
}

TEST_CASE("what was committed before poison is told, though no rank agreed",
          "[model]") {
  auto told = replay_both(roomy(), {
                                     step(verb::register_request, 0),
                                     enqueue({{}}),
                                     step(verb::local_turn, 1),
                                     step(verb::set_stage, 2, 0),
                                     begun_among_ranks(3),
                                     step(verb::resume, 4),
                                     step(verb::poison, 5),
                                   });

  CHECK(told.committed.size() == 1);
}

TEST_CASE("works that no rank could prepare end once, also for a journal",
          "[model]") {
  auto r = roomy();
  r.hold = true;
  order wrong;
  wrong.describe = fault::fails;
  auto parallel = step(verb::permit, 0);
  parallel.permitted.parallel = true;
  auto at_once = begun_among_ranks(1);
  at_once.group.later = false;
  auto durable = step(verb::durable, 2);
  durable.number = 9;

  auto told = replay_both(r, {
                               parallel,
                               step(verb::register_request, 0),
                               enqueue({wrong, wrong}),
                               at_once,
                               durable,
                             });

  CHECK(told.failed.size() == 1);
  CHECK(told.dropped.size() == 1);
}

TEST_CASE("a sibling that others wait for gets its branch, though order is "
          "wanted no more",
          "[model]") {
  auto one_by_one = step(verb::permit, 4);
  auto put_off = step(verb::requeue, 6, 0);
  put_off.at = 9;

  auto told = replay_both(roomy(), {
                                     ordered_and_parallel(),
                                     step(verb::register_request, 0),
                                     enqueue({{}, {}}),
                                     step(verb::local_turn, 1),
                                     step(verb::set_stage, 2, 1),
                                     step(verb::local_turn, 3),
                                     one_by_one,
                                     step(verb::refresh, 5),
                                     put_off,
                                     step(verb::local_turn, 9),
                                     step(verb::set_stage, 10, 0),
                                     step(verb::poll, 10),
                                   });

  CHECK(told.committed.size() == 2);
}
