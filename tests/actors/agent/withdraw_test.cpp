#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

TEST_CASE("a task is cancelled alone, whatever it is doing",
          "[actors][agent]") {
  agent_world w{{ok("1"), fails(backend_error_kind::spawn), hangs(), ok("4")}};
  for (const auto* id : {"done", "pausing", "hanging", "waiting", "next"})
    w.submit(task(id));
  w.still.advance(10ms);
  for (std::uint64_t place : {1, 3, 2})
    w.withdraw(place);
  w.still.advance(1h);
  const auto cancelled = "CANCELLED agent_cancelled: agent cancelled at 10ms";
  CHECK(w.how("done") == "OK 1 at 0s");
  CHECK(w.how("pausing") == cancelled);
  CHECK(w.how("hanging") == cancelled);
  CHECK(w.how("waiting") == cancelled);
  CHECK(w.how("next") == "OK 4 at 10ms");
  CHECK(w.record("pausing").attempts() == 1);
  CHECK(w.record("hanging").attempts() == 1);
  CHECK(w.record("waiting").attempts() == 0);
  CHECK(w.calls->order().size() == 4);
  w.tell(wire::FinishRequest{});
  CHECK(w.news->state.records_size() == 5);
}

TEST_CASE("a cancellation is answered with the end that the task has had",
          "[actors][agent]") {
  agent_world w{{ok("1"), hangs()}};
  w.submit(task("done"));
  w.submit(task("hanging"));
  w.withdraw(1);
  w.withdraw(1);
  w.withdraw(7);
  CHECK(w.news->withdrawn
        == "CANCELLED agent_cancelled: agent cancelled at 0s. "
           "abandoned at 0s. "
           "unknown_work: no work 7/7 is remembered. ");
}

TEST_CASE("a second task with the same id is refused", "[actors][agent]") {
  agent_world w{{ok("1"), ok("2")}};
  w.submit(task("a"));
  CHECK(w.how("a") == "OK 1 at 0s");
  w.submit(task("a"));
  CHECK(w.how("a")
        == "refused: duplicate_agent: this run has had a task with the "
           "agent_id a already");
  w.submit(task("b"));
  CHECK(w.how("b") == "OK 2 at 0s");
}
