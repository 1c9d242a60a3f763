#include "tests/actors/node/plan_world.hpp"

using namespace node_tests;

namespace {

/// One task that is soon done, one that hangs, one that finds no slot, and two
/// that need others.
config::plan mixed() {
  return plan_of(R"(
    {"name": "done", "prompt": ""},
    {"name": "hanging", "prompt": "", "backend": "hang"},
    {"name": "queued", "prompt": "", "backend": "hang"},
    {"name": "also", "prompt": "", "backend": "hang"},
    {"name": "needs", "prompt": "", "needs": ["also"]},
    {"name": "needs more", "prompt": "", "needs": ["needs"]})",
                 R"("concurrency": 2,)");
}

constexpr auto all_cancelled =
  "done cancelled run_cancelled: run cancelled\n"
  "hanging cancelled run_cancelled: run cancelled\n"
  "queued cancelled run_cancelled: run cancelled\n"
  "also cancelled run_cancelled: run cancelled\n"
  "needs cancelled run_cancelled: run cancelled\n"
  "needs more cancelled run_cancelled: run "
  "cancelled";

} // namespace

TEST_CASE("a run that is cancelled keeps what is done and ends the rest",
          "[actors][node]") {
  plan_world w{mixed()};
  w.run_for(20ms);
  w.cancel();
  REQUIRE(w.result.has_value());
  CHECK(w.result->cancelled);
  CHECK(w.ends()
        == "done ok 1\n"
           "hanging cancelled run_cancelled: run cancelled\n"
           "queued cancelled run_cancelled: run cancelled\n"
           "also cancelled run_cancelled: run cancelled\n"
           "needs cancelled run_cancelled: run cancelled\n"
           "needs more cancelled run_cancelled: run cancelled");
  CHECK(w.result->quota_used == 4); // what waits for a slot was accepted, too
  CHECK(w.result->report.current_in_flight_work() == 0);
  CHECK(w.result->report.cancelled_requests() == 1);
}

TEST_CASE("a run that is cancelled before it begins runs nothing",
          "[actors][node]") {
  plan_world w{mixed()};
  w.cancel();
  w.run_for(1s);
  CHECK(w.ends() == all_cancelled);
  CHECK(w.result->cancelled);
  CHECK(w.result->quota_used == 0);
  CHECK(w.result->elapsed == 0s);
  CHECK(w.result->report.submitted_work() == 0);
}

TEST_CASE("a run that is cancelled while it begins leaves nothing running",
          "[actors][node]") {
  // Wherever the cancellation falls between two messages.
  const auto messages = GENERATE(range(0, 24));
  plan_world w{mixed()};
  anon_mail(run_atom_v).send(w.run);
  for (int i = 0; i < messages; ++i)
    w.still.step();
  w.cancel();
  CHECK(w.ends() == all_cancelled);
  REQUIRE(w.result.has_value());
  CHECK(w.result->cancelled);
  CHECK(w.result->quota_used == w.result->report.submitted_work());
  CHECK(w.result->report.current_in_flight_work() == 0);
  CHECK(w.told.size() == 6);
}

TEST_CASE("a run that is cancelled twice is cancelled", "[actors][node]") {
  plan_world w{mixed()};
  w.run_for(20ms);
  anon_mail(wire::CancelRequest{}).send(w.run);
  w.cancel();
  CHECK(w.told.size() == 6);
  CHECK(w.result.value().cancelled);
}

TEST_CASE("a run that has ended is not cancelled afterwards",
          "[actors][node]") {
  plan_world w{plan_of(R"({"name": "a", "prompt": ""})")};
  w.run_for(9ms);
  anon_mail(wire::CancelRequest{}).delay(1ms).send(w.run);
  SECTION("once all has been told") {
    w.still.advance(20ms);
  }
  SECTION("while it asks for the report") {
    w.still.fire_next_timer();
    while (w.told.empty())
      REQUIRE(w.still.step());
    w.cancel();
  }
  w.still.advance(1s);
  CHECK(w.ends() == "a ok 1");
  CHECK_FALSE(w.result.value().cancelled);
}
