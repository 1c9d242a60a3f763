#include "tests/actors/scheduler/scheduler_world.hpp"

// What makes a scheduler run turns, and what it can be asked meanwhile.

using namespace counter_tests;

namespace {

scheduler_options with_limits(scheduler_limits limits) {
  scheduler_options options;
  options.settings.limits = limits;
  return options;
}

/// Room for many requests, and for `per_turn` submissions in a turn.
scheduler_options roomy(std::uint64_t per_turn) {
  auto limits = scheduler_limits::of(100, 100'000);
  limits.max_new_submissions_per_turn = per_turn;
  return with_limits(limits);
}

} // namespace

TEST_CASE("works that come together are submitted by one turn",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1)}, roomy(50)};
  std::vector<door_actor> doors;
  for (std::uint64_t id = 0; id < 50; ++id)
    doors.push_back(w.open(id));

  std::vector<pending<wire::WorkEnded>> ends;
  for (const auto& door : doors)
    ends.push_back(w.run(door));
  w.still.settle();

  for (const auto& end : ends)
    CHECK(text(end) == "committed 1");
  CHECK(w.report().drain_cycles() == 1);
}

TEST_CASE("a turn submits no more than its bound, and the next one goes on",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, roomy(4)};
  for (std::uint64_t id = 0; id < 10; ++id)
    w.run(w.open(id));
  w.still.settle();
  CHECK(w.report().submitted_in_flight_work() == 10);
  CHECK(w.report().drain_cycles() >= 3);
}

TEST_CASE("a scheduler without deadlines sets no timer",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  w.run(w.open());
  w.still.settle();
  CHECK_FALSE(w.still.has_timer());
}

TEST_CASE("a scheduler wakes at the next deadline, one timer at a time",
          "[actors][scheduler]") {
  scheduler_options options;
  options.deadlines = {deadline_policy::scope::work,
                       deadline_policy::until::submission};
  scheduler_world w{{testing::hang{}}, options};
  auto door = w.open();
  auto begun = w.still.now();
  w.run(door); // keeps the only slot
  auto first = w.run(door, 10ms);
  auto third = w.run(door, 30ms);
  auto second = w.run(door, 20ms);
  w.still.settle();

  REQUIRE(w.still.next_timer() == begun + 10ms);
  w.still.advance(10ms);
  CHECK(text(first) == "abandoned, EXPIRED");
  CHECK(text(second) == "-");
  REQUIRE(w.still.next_timer() == begun + 20ms);
  w.still.advance(10ms);
  CHECK(text(second) == "abandoned, EXPIRED");
  CHECK(text(third) == "-");
  w.still.advance(10ms);
  CHECK(text(third) == "abandoned, EXPIRED");
  CHECK_FALSE(w.still.has_timer());
}

TEST_CASE("status and report are answered in the middle of a flood",
          "[actors][scheduler]") {
  if (!world::urgent_mail_overtakes)
    return;
  scheduler_world w{{adds(1)}, roomy(1)};
  auto door = w.open();
  auto status = w.ask<wire::StatusAnswer>(door, wire::StatusQuery{});
  w.still.step(); // the door has the question, and passes it on too late
  auto report = w.ask_urgently<wire::Report>(w.scheduler, wire::ReportQuery{});
  for (int i = 0; i < 10'000; ++i)
    anon_mail(of(1, work())).send(w.scheduler);

  w.still.settle();

  // What the answers say is how it was when hardly a work had come in.
  CHECK(text(status) == "active, queued 0");
  REQUIRE(*report);
  CHECK((*report)->value().submitted_work() < 50);
  CHECK(w.report().completed_work() == 10'000);
}

TEST_CASE("a cancellation through the door overtakes a flood",
          "[actors][scheduler]") {
  if (!world::urgent_mail_overtakes)
    return;
  scheduler_world w{{adds(1)}, roomy(1)};
  auto door = w.open();
  auto ended = w.ask<wire::RequestEnded>(door, wire::CancelRequest{});
  w.still.step();
  for (int i = 0; i < 1'000; ++i)
    anon_mail(of(1, work())).send(w.scheduler);
  w.still.settle();
  CHECK(text(ended) == "cancelled at 0");
  CHECK(w.report().submitted_work() < 50);
}
