#include "tests/actors/explained.hpp"
#include "tests/actors/scheduler/scheduler_world.hpp"

// Why a work of any program does not go on, and what would let it.

using namespace counter_tests;

namespace {

std::string why(scheduler_world& w, const door_actor& door,
                std::uint64_t sequence) {
  wire::ExplainQuery query;
  query.mutable_work_id()->set_sequence(sequence);
  auto answer = w.ask<wire::Explanation>(door, query);
  w.still.settle();
  return testing::text_of_explanation(answer);
}

scheduler_options with(std::uint64_t slots, std::uint64_t per_request) {
  scheduler_options options;
  options.settings.limits = scheduler_limits::of(10, 100);
  options.settings.limits.max_new_submissions_per_turn = 10;
  options.settings.limits.max_in_flight_global = slots;
  options.settings.limits.max_in_flight_per_request = per_request;
  return options;
}

} // namespace

TEST_CASE("a work waits for the branch of its sibling", "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, with(10, 10)};
  auto door = w.open();
  w.run(door);
  w.run(door);
  w.still.settle();
  CHECK(why(w, door, 1)
        == "BRANCH: its request's state permits one branch at a time: work 1/0 "
           "has it => the end of that");
}

TEST_CASE("a work waits for the slots that others have",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, with(2, 1)};
  w.run(w.open(1));
  w.run(w.open(2));
  auto door = w.open(3);
  w.run(door);
  w.still.settle();
  CHECK(why(w, door, 0)
        == "SLOTS: all slots are in use (max_in_flight_global 2): work 1/0, "
           "work 2/0 => the end of one of these, or a greater "
           "max_in_flight_global");
}

TEST_CASE("a work that nothing holds waits for a turn", "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, with(2, 1)};
  auto door = w.open();
  // All of this is in the scheduler's mailbox before its next turn.
  w.ask<wire::Accepted>(w.scheduler, of(1, work()));
  wire::ExplainQuery query;
  query.mutable_work_id()->mutable_request()->set_value(1);
  query.mutable_work_id()->set_sequence(0);
  query.mutable_work_id()->set_life(0);
  auto answer = w.ask<wire::Explanation>(w.scheduler, query);
  w.still.settle();
  CHECK(testing::text_of_explanation(answer)
        == "TURN: nothing holds it; a turn of its scheduler will take it => "
           "the next turns");
}

TEST_CASE("works without names are asked for by their identity",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  w.open(1);
  CHECK(testing::explain(w.still, w.scheduler, 1, "a")
        == "invalid_argument: ExplainQuery.name: the works of this program "
           "have no names; use work_id");
}
