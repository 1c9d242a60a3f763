#include "tests/actors/scheduler/scheduler_world.hpp"

// The end of a scheduler: in order, and otherwise.

using namespace counter_tests;

TEST_CASE("a drained scheduler takes nothing new and says when it is empty",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1, 10ms)}};
  auto door = w.open();
  auto first = w.run(door);
  auto second = w.run(door);
  w.still.settle();
  auto drained = w.ask<void>(w.scheduler, drain_atom_v);
  auto refused = w.run(door);
  auto closed = w.ask<door_actor>(w.scheduler, open_atom_v, request(2));
  w.still.advance(19ms);
  CHECK(text(refused) == "capacity: the scheduler is draining; no new works");
  CHECK(text(closed) == "capacity: the scheduler is draining; no new requests");
  CHECK(text(first) == "committed 1");
  CHECK(text(drained) == "-");
  w.still.advance(1ms);
  CHECK(text(second) == "committed 1");
  CHECK(text(drained) == "done");
}

TEST_CASE("an idle scheduler is drained at once", "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  for (int i = 0; i < 2; ++i) {
    auto drained = w.ask<void>(w.scheduler, drain_atom_v);
    w.still.settle();
    CHECK(text(drained) == "done");
  }
}

TEST_CASE("whoever waits for a scheduler that ends is told so",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  auto door = w.open();
  auto work_end = w.run(door);
  auto request_end = w.ask<wire::RequestEnded>(door, wire::AwaitRequest{});
  w.still.settle();
  auto drained = w.ask<void>(w.scheduler, drain_atom_v);
  w.still.settle();
  w.still.kill(w.scheduler);
  for (const auto& answer : {text(work_end), text(request_end), text(drained)})
    CHECK(answer == "backend_lost: the actor ended without an answer");
  auto asked_too_late = w.run(door);
  w.still.settle();
  CHECK(text(asked_too_late).find("receiver") != std::string::npos);
}
