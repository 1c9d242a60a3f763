#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

wire::AgentTask due(const std::string& id, duration deadline) {
  auto made = task(id);
  made.set_deadline_ns(deadline.count());
  return made;
}

} // namespace

TEST_CASE("a task's deadline counts while it waits, runs and has a pause",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::spawn), hangs(), ok("3")}};
  w.submit(due("pausing", 50ms)); // and would go on after 100ms
  w.submit(due("running", 60ms));
  w.submit(due("waiting", 40ms));
  w.submit(due("in time", 1h));
  w.still.advance(1s);
  CHECK(w.how("pausing")
        == "TIMED_OUT deadline_exceeded: the deadline of 50ms has passed at "
           "50ms");
  CHECK(w.how("running")
        == "TIMED_OUT deadline_exceeded: the deadline of 60ms has passed at "
           "60ms");
  CHECK(w.how("waiting")
        == "TIMED_OUT deadline_exceeded: the deadline of 40ms has passed at "
           "40ms");
  CHECK(w.how("in time") == "OK 3 at 60ms");
  CHECK(w.record("pausing").attempts() == 1);
  CHECK(w.record("running").attempts() == 1);
  CHECK(w.record("waiting").attempts() == 0);
  CHECK(w.calls->running() == 0);
}

TEST_CASE("a run's deadline ends all of its tasks, and is named",
          "[actors][agent]") {
  auto terms = patient();
  terms.set_deadline_ns(duration{100ms}.count());
  agent_world w{{hangs()}, 1, terms};
  w.submit(due("later", 1h));
  w.still.advance(30ms);
  w.submit(due("sooner", 50ms));
  w.submit(task("none"));
  w.still.advance(1s);
  const auto by_run =
    "TIMED_OUT deadline_exceeded: the run's deadline of 100ms has passed at "
    "100ms";
  CHECK(w.how("later") == by_run);
  CHECK(w.how("none") == by_run);
  CHECK(w.how("sooner")
        == "TIMED_OUT deadline_exceeded: the deadline of 50ms has passed at "
           "80ms");
  w.submit(task("too late"));
  CHECK(w.how("too late")
        == "TIMED_OUT deadline_exceeded: the run's deadline of 100ms has "
           "passed at 1030ms");
  CHECK(w.calls->order().size() == 1);
}

TEST_CASE("what a late attempt has spent is counted", "[actors][agent]") {
  wire::TokenUsage spent;
  spent.set_input(5);
  agent_world w{{ok("1", 30ms, spent), hangs()}, 1};
  w.submit(due("a", 20ms)); // its backend is quiet when it is cancelled
  w.still.advance(1s);
  CHECK(w.record("a").attempts() == 1);
  w.tell(wire::FinishRequest{});
  CHECK(w.news->state.records().at("a").result().status()
        == wire::AGENT_STATUS_TIMED_OUT);
}

TEST_CASE("a deadline that is no time is refused", "[actors][agent]") {
  agent_world w{{ok("1")}};
  w.submit(due("a", 0s));
  CHECK(w.how("a")
        == "refused: invalid_argument: AgentTask.deadline_ns must be positive; "
           "leave it out for none");
}
