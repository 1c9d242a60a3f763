// What the seed's own tests ask of its scheduler, asked of ours. The table in
// tests/README.md says which test answers to which.
#include "tests/catch.hpp"
#include "tests/core/consensus/scripted_group.hpp"
#include "tests/core/turn/counter_program.hpp"

using namespace turnstile;

namespace {

constexpr std::uint64_t protocol = 42;

/// Room for many, and requests that permit parallel branches.
counting_scheduler roomy() {
  auto scheduler = counting_with(scheduler_limits{});
  for (auto id : {alice, bob})
    REQUIRE(scheduler.register_request(id, counter{0, true}));
  return scheduler;
}

} // namespace

TEST_CASE("scheduler checks limits that were written field by field",
          "[core][turn][seed]") {
  scheduler_settings settings;
  settings.limits.max_active_requests = 0;

  auto made = counting_scheduler::create(settings);

  REQUIRE_FALSE(made);
  CHECK(made.error().code == errc::invalid_limits);
}

TEST_CASE("scheduler leads a work from the queue to its commit, once",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  std::string seen{to_string(*scheduler.lifecycle(id))};
  auto note = [&] {
    seen.append(" ").append(to_string(*scheduler.lifecycle(id)));
  };

  REQUIRE(scheduler.prepare_bounded(1, at(1)));
  note();
  REQUIRE(scheduler.submit_prepared(at(2), backend.executor()));
  note();
  CHECK(scheduler.poll_completions(at(3)).committed.empty());
  backend.finishes(id);
  CHECK(scheduler.poll_completions(at(4)).committed.size() == 1);
  note();

  CHECK(seen == "queued prepared submitted committed");
  CHECK(scheduler.poll_completions(at(5)).committed.empty());
  CHECK(scheduler.request_state(alice)->value == 7);
}

TEST_CASE("scheduler retains what a cancelled work holds until it completes",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));

  REQUIRE(scheduler.cancel(alice, at(2)));

  CHECK(scheduler.status_of(alice) == request_status::cancelled);
  CHECK(scheduler.lifecycle(id) == work_lifecycle::abandoned);
  CHECK(scheduler.report().abandoned_retained_resources == 3);
  backend.finishes(id);
  CHECK(scheduler.poll_completions(at(3)).committed.empty());
  CHECK(scheduler.report().abandoned_retained_resources == 0);
  CHECK(scheduler.report().current_in_flight_work == 0);
  CHECK(scheduler.report().abandoned_released_work == 1);
}

TEST_CASE("scheduler commits nothing of a work whose backend fails",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  backend.breaks(id);

  auto out = scheduler.poll_completions(at(2));

  REQUIRE(out.failed.size() == 1);
  CHECK(out.failed[0].why.code == errc::completion);
  CHECK(scheduler.lifecycle(id) == work_lifecycle::failed);
  CHECK(scheduler.status_of(alice) == request_status::failed);
  CHECK(scheduler.request_state(alice)->value == 0);
}

TEST_CASE("scheduler abandons the sibling of a failed work until it completes",
          "[core][turn][seed]") {
  auto limits = scheduler_limits::of(1, 2);
  limits.max_new_submissions_per_turn = 2;
  limits.max_in_flight_global = 2;
  limits.max_in_flight_per_request = 2;
  auto scheduler = counting_with(limits);
  adder backend;
  REQUIRE(scheduler.register_request(alice, counter{0, true}));
  auto ids = *scheduler.enqueue_batch(alice, {{1}, {2}});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  backend.breaks(ids[0]);

  auto out = scheduler.poll_completions(at(2));

  CHECK(out.failed.size() == 1);
  REQUIRE(out.abandoned.size() == 1);
  CHECK(out.abandoned[0].id == ids[1]);
  CHECK(scheduler.lifecycle(ids[0]) == work_lifecycle::failed);
  CHECK(scheduler.lifecycle(ids[1]) == work_lifecycle::abandoned);
  CHECK(scheduler.report().abandoned_retained_resources == 3);
  backend.finishes(ids[1]);
  CHECK(scheduler.poll_completions(at(3)).committed.empty());
  CHECK(scheduler.report().current_in_flight_work == 0);
  CHECK(scheduler.report().abandoned_released_work == 1);
}

TEST_CASE("scheduler fails the work and the request that a backend refuses",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  REQUIRE(scheduler.prepare_bounded(1, at(1)));
  backend.refuses = true;

  auto out = scheduler.submit_prepared(at(2), backend.executor());

  REQUIRE(out);
  REQUIRE(out->failed.size() == 1);
  CHECK(out->failed[0].why.code == errc::submission);
  CHECK(scheduler.lifecycle(id) == work_lifecycle::failed);
  CHECK(scheduler.status_of(alice) == request_status::failed);
}

TEST_CASE("scheduler gives batches their turns and deadlines their due",
          "[core][turn][seed]") {
  auto scheduler = roomy(); // one submission a turn, one branch a request
  adder backend;
  REQUIRE(scheduler.enqueue_batch(alice, {{1}, {2}}));
  auto third = *scheduler.enqueue(bob, {3});
  REQUIRE(scheduler.prepare_bounded(3, at(10)));

  REQUIRE(scheduler.submit_prepared(at(10), backend.executor()));

  CHECK(backend.order == std::vector<std::string>{"1/0"});
  CHECK(scheduler.lifecycle(third) == work_lifecycle::prepared);
  constexpr request_id late{3};
  REQUIRE(scheduler.register_request(late, {}));
  REQUIRE(scheduler.enqueue(late, {4}, {at(9), {}}));
  REQUIRE(scheduler.prepare_bounded(1, at(11)));
  CHECK(scheduler.status_of(late) == request_status::deadline_exceeded);
}

TEST_CASE("scheduler is poisoned by a rank that would submit something else",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  scripted_group ranks{2};
  ranks.agrees();
  ranks.says({{1, "1 1 0 0 0 1 8 0 0"}}); // the descriptor's word is 7 here

  auto out =
    scheduler.run_distributed_turn(protocol, ranks, at(1), backend.executor());

  REQUIRE(out);
  REQUIRE(out->poisoned);
  CHECK(out->poisoned->code == errc::consensus);
  CHECK(scheduler.poison_reason());
  CHECK(scheduler.report().poisoned);
  CHECK(backend.order.empty());
  CHECK(scheduler.status_of(alice) == request_status::failed);
  CHECK(scheduler.lifecycle(id) == work_lifecycle::failed);
  CHECK(scheduler.enqueue(alice, {8}).error().code == errc::poisoned);
}

TEST_CASE("scheduler keeps what it had submitted when it is poisoned until its "
          "own completion",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  auto id = *scheduler.enqueue(alice, {7});
  scripted_group ranks{2};
  ranks.agrees();
  ranks.agrees();
  ranks.says({{1, "0 1 1 0 9 0 0"}}); // another sequence than 0 is in flight
  REQUIRE(
    scheduler.run_distributed_turn(protocol, ranks, at(1), backend.executor()));

  auto out =
    scheduler.run_distributed_turn(protocol, ranks, at(2), backend.executor());

  REQUIRE(out);
  REQUIRE(out->poisoned);
  CHECK(scheduler.report().abandoned_in_flight_work == 1);
  CHECK(scheduler.report().abandoned_retained_resources == 3);
  CHECK(scheduler.poll_completions(at(3)).committed.empty());
  CHECK(scheduler.report().current_in_flight_work == 1);
  backend.finishes(id);
  CHECK(scheduler.poll_completions(at(4)).committed.empty());
  CHECK(scheduler.report().current_in_flight_work == 0);
  CHECK(scheduler.report().abandoned_released_work == 1);
}

TEST_CASE("scheduler keeps a work that failed on one rank until all are done",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  backend.begins = lamp::light::green; // done here at once
  REQUIRE(scheduler.enqueue(alice, {7}));
  scripted_group ranks{3};
  ranks.agrees();
  ranks.agrees();
  ranks.says({{1, "0 1 1 0 0 2 0"}, {2, "0 1 1 0 0 0 0"}}); // failed; not done
  ranks.agrees();
  ranks.says({{1, "0 1 1 0 0 2 0"}, {2, "0 1 1 0 0 1 0"}}); // failed; done
  ranks.agrees();
  auto run = [&](std::int64_t now) {
    return *scheduler.run_distributed_turn(protocol, ranks, at(now),
                                           backend.executor());
  };
  run(1);

  CHECK(run(2).failed.empty());
  CHECK(scheduler.report().failed_in_flight_work == 1);
  CHECK(scheduler.report().current_in_flight_work == 1);

  CHECK(run(3).failed.size() == 1);
  CHECK(scheduler.report().current_in_flight_work == 0);
  CHECK(scheduler.status_of(alice) == request_status::failed);
}

TEST_CASE("scheduler cancels and expires among ranks as it does alone",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  scripted_group ranks{2};
  REQUIRE(scheduler.enqueue(alice, {7}));
  REQUIRE(scheduler.enqueue(bob, {8}, {at(1), {}}));

  REQUIRE(scheduler.cancel_distributed(protocol, alice, ranks, at(2)));
  REQUIRE(
    scheduler.run_distributed_turn(protocol, ranks, at(2), backend.executor()));

  CHECK(scheduler.status_of(alice) == request_status::cancelled);
  CHECK(scheduler.status_of(bob) == request_status::deadline_exceeded);
  CHECK(backend.order.empty());
}

TEST_CASE("scheduler tells its telemetry in values that know no backend type",
          "[core][turn][seed]") {
  auto scheduler = roomy();
  adder backend;
  REQUIRE(scheduler.enqueue(alice, {7}));
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));

  scheduler_report report = scheduler.report();
  scheduler_capabilities known = scheduler.capabilities();

  CHECK(report == scheduler.report());
  CHECK(report.submitted_in_flight_work == 1);
  CHECK(known == scheduler.capabilities());
  REQUIRE(known.observed_backends.size() == 1);
  CHECK(known.observed_backends.begin()->first == "adder");
  CHECK_FALSE(known.executing_work_physically_preemptible);
}
