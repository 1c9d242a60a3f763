#include "tests/actors/scheduler/scheduler_world.hpp"

// Who waits for the end of a work, and when they hear of it.

using namespace counter_tests;

TEST_CASE("everybody who waits for a work hears of its end",
          "[actors][scheduler]") {
  scheduler_world w{{adds(7, 10ms)}};
  auto door = w.open();
  auto ran = w.run(door);
  w.still.settle();
  auto one = w.ask<wire::WorkEnded>(door, await(0));
  auto two = w.ask<wire::WorkEnded>(door, await(0));
  w.still.advance(9ms);
  CHECK(text(ran) + text(one) + text(two) == "---");
  w.still.advance(1ms);
  for (const auto& answer : {ran, one, two})
    CHECK(text(answer) == "committed 7");
}

TEST_CASE("the end of a work that nobody waited for is kept for the first "
          "who asks",
          "[actors][scheduler]") {
  scheduler_world w{{adds(7)}};
  auto door = w.open();
  w.ask<wire::Accepted>(door, work());
  w.still.settle();
  auto first = w.ask<wire::WorkEnded>(door, await(0));
  w.still.settle();
  auto later = w.ask<wire::WorkEnded>(door, await(0));
  w.still.settle();
  CHECK(text(first) == "committed 7");
  CHECK(text(later) == "committed"); // its outcome was given away
}

TEST_CASE("of ends that nobody waited for the oldest goes first",
          "[actors][scheduler]") {
  scheduler_options options;
  options.max_unawaited_ends = 2;
  scheduler_world w{{adds(1), adds(2), adds(3)}, options};
  auto door = w.open();
  for (int i = 0; i < 3; ++i)
    w.ask<wire::Accepted>(door, work());
  w.still.settle();
  std::string seen;
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto end = w.ask<wire::WorkEnded>(door, await(i));
    w.still.settle();
    seen += text(end) + "; ";
  }
  CHECK(seen == "committed; committed 2; committed 3; ");
}

TEST_CASE("a work that was never accepted cannot be waited for",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  auto door = w.open();
  auto end = w.ask<wire::WorkEnded>(door, await(5));
  auto stands = w.ask<wire::LifecycleAnswer>(door, [] {
    wire::LifecycleQuery query;
    query.mutable_work_id()->set_sequence(5);
    return query;
  }());
  w.still.settle();
  CHECK(text(end) == "unknown_work: no work 1/5 is remembered");
  CHECK(text(stands) == "unknown");
}

TEST_CASE("a backend's failure ends the work's request with its sentence",
          "[actors][scheduler]") {
  scheduler_world w{
    {testing::fail_with{{errc::completion, "the disk is full"}, 10ms}}};
  auto door = w.open();
  auto failed = w.run(door);
  auto sibling = w.run(door);
  auto request = w.ask<wire::RequestEnded>(door, wire::AwaitRequest{});
  w.still.advance(10ms);
  CHECK(text(failed) == "failed: completion: the disk is full");
  CHECK(text(sibling) == "failed, WITH_REQUEST");
  CHECK(text(request) == "failed: completion: the disk is full at 0");
}

TEST_CASE("an answer that is no outcome fails its work",
          "[actors][scheduler]") {
  scheduler_world w{{testing::succeed{"\x08", {}}}};
  auto failed = w.run(w.open());
  w.still.settle();
  CHECK(text(failed)
        == "failed: completion: the backend's outcome is no "
           "google.protobuf.Int64Value");
}
