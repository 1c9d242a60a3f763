#include "tests/catch.hpp"
#include "tests/core/turn/counter_program.hpp"

using namespace turnstile;

TEST_CASE("scheduler tells the executor which try it is and until when",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, {1}, {at(90), {}});
  std::vector<submission> seen;
  adder backend;
  auto execute = [&](const submission& what, const addition& work,
                     std::uint64_t& branch) {
    seen.push_back(what);
    return backend.executor()(what, work, branch);
  };

  REQUIRE(scheduler.run_local_turn(at(1), execute));
  REQUIRE(scheduler.requeue(id, std::nullopt, at(2)));
  REQUIRE(scheduler.run_local_turn(at(3), execute));

  REQUIRE(seen.size() == 2);
  CHECK(seen[0].id == id);
  CHECK(seen[0].number == 1);
  CHECK(seen[0].deadline == at(90));
  CHECK(seen[1].number == 2);
}

TEST_CASE("scheduler commits in the turn that submits, if it is done at once",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  backend.begins = lamp::light::green;
  REQUIRE(scheduler.register_request(alice, {}));
  REQUIRE(scheduler.enqueue(alice, {4}));

  auto out = scheduler.run_local_turn(at(1), backend.executor());

  REQUIRE(out);
  CHECK(out->submitted.size() == 1);
  CHECK(out->committed.size() == 1);
  CHECK(scheduler.request_state(alice)->value == 4);
}

TEST_CASE("scheduler says when the next turn has something to do",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  CHECK(scheduler.next_wake(at(1)) == std::nullopt);
  REQUIRE(scheduler.register_request(alice, {}));
  CHECK(scheduler.next_wake(at(1)) == std::nullopt);

  auto id = *scheduler.enqueue(alice, {1});
  CHECK(scheduler.next_wake(at(2)) == at(2)); // at once

  auto out = scheduler.run_local_turn(at(3), backend.executor());
  CHECK(out->next_wake == std::nullopt); // a completion will say

  REQUIRE(scheduler.enqueue(alice, {2}, {at(50), {}}));
  CHECK(scheduler.next_wake(at(4)) == at(50)); // blocked until then

  CHECK(scheduler.observe(id, no_outcome{}));
  CHECK(scheduler.next_wake(at(5)) == at(5));
}

TEST_CASE("scheduler counts completions that nobody waits for",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, {1});
  CHECK_FALSE(scheduler.observe(id, no_outcome{})); // not submitted

  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  CHECK_FALSE(scheduler.observe(id, no_outcome{}, 7)); // another submission
  CHECK(scheduler.observe(id, no_outcome{}, 1));
  CHECK_FALSE(scheduler.observe(id, no_outcome{})); // the first word counts
  scheduler.poll_completions(at(2));
  CHECK_FALSE(scheduler.observe(id, no_outcome{})); // it has ended

  CHECK(scheduler.report().stale_completions == 4);
  CHECK(scheduler.report().completed_work == 1);
}

TEST_CASE("scheduler takes the memory of an outcome back", "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  backend.begins = lamp::light::green;
  REQUIRE(scheduler.register_request(alice, {}));
  REQUIRE(scheduler.enqueue_batch(alice, {{1}, {2}}));
  auto first = *scheduler.run_local_turn(at(1), backend.executor());
  const auto* memory = first.committed.data();

  scheduler.recycle(std::move(first));
  auto second = *scheduler.run_local_turn(at(2), backend.executor());

  CHECK(second.committed.data() == memory);
  REQUIRE(second.committed.size() == 1); // and nothing of the first one
  CHECK(to_string(second.committed[0].id) == "1/1");
}

TEST_CASE("scheduler knows lives and what is in progress", "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  REQUIRE(scheduler.register_request(alice, {}));
  REQUIRE(scheduler.register_request(bob, {}));
  REQUIRE(scheduler.enqueue_batch(alice, {{1}, {2}}));

  CHECK(scheduler.life_of(alice) == 0u);
  CHECK(scheduler.life_of(bob) == 1u);
  CHECK(scheduler.life_of(request_id{3}) == std::nullopt);
  CHECK(scheduler.in_progress() == 2);
  CHECK(scheduler.in_progress_for(alice) == 2);
  CHECK(scheduler.in_progress_for(bob) == 0);
  CHECK(scheduler.queued_for(alice) == 2);
}

TEST_CASE("scheduler keeps the options of each work of a batch",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  REQUIRE(scheduler.register_request(alice, {}));
  const deadline_policy alone{deadline_policy::scope::work,
                              deadline_policy::until::submission};
  const std::vector<work_options> options{
    {}, {at(20), alone}, {std::nullopt, alone}, {at(10), alone}};
  auto ids =
    *scheduler.enqueue_batch(alice, {{1}, {2}, {3}, {4}}, std::span{options});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));

  auto expired = [&](int now) {
    std::string seen;
    auto out = *scheduler.run_local_turn(at(now), backend.executor());
    for (const auto& row : out.dropped)
      seen += to_string(row.id) + " ";
    return seen;
  };
  CHECK(expired(15) == "1/3 ");
  CHECK(expired(25) == "1/1 ");
  CHECK(expired(1000).empty());
}

TEST_CASE("scheduler refuses a batch with options for others", "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  REQUIRE(scheduler.register_request(alice, {}));
  std::vector<addition> works{{1}, {2}};
  const std::vector<work_options> options(3);
  auto refused =
    scheduler.enqueue_batch(alice, std::move(works), std::span{options});
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error())
        == "invalid_argument: 3 options for 2 works");
  CHECK(works.size() == 2);
  CHECK(scheduler.in_progress() == 0);
}

TEST_CASE("scheduler that is poisoned wakes for completions, to drain them",
          "[core][turn]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, {1});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  scheduler.poison("ranks disagree", at(2));
  REQUIRE(scheduler.next_wake(at(3)) == std::nullopt);

  CHECK(scheduler.observe(id, no_outcome{}));
  CHECK(scheduler.next_wake(at(3)) == at(3));
  scheduler.poll_completions(at(3));
  CHECK(scheduler.next_wake(at(4)) == std::nullopt);
  CHECK(scheduler.in_progress() == 0);
}
