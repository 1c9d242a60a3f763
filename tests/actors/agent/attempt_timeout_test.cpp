#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

wire::AgentTask brief(const std::string& id) {
  auto made = task(id);
  made.set_attempt_timeout_ns(duration{30ms}.count());
  return made;
}

} // namespace

TEST_CASE("an attempt that takes too long is stopped and made again",
          "[actors][agent]") {
  agent_world w{{hangs(), ok("7", 20ms)}};
  w.submit(brief("a"));
  w.still.advance(29ms);
  CHECK(w.calls->running() == 1);
  w.still.advance(1ms);
  CHECK(w.calls->running() == 0);
  w.still.advance(1s);
  CHECK(w.how("a") == "OK 7 at 150ms");
  CHECK(w.record("a").attempts() == 2);
  CHECK(w.record("a").retries() == 1);
}

TEST_CASE("a task whose every attempt takes too long has timed out",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  w.submit(brief("a"));
  w.still.advance(10s);
  CHECK(w.how("a")
        == "TIMED_OUT exhausted: backend error after 3 attempts: backend timed "
           "out at 390ms");
  CHECK(w.record("a").attempts() == 3);
  CHECK(w.record("a").retries() == 2);
  CHECK(duration{w.record("a").elapsed_ns()} == 390ms);
}

TEST_CASE("an attempt's time does not run while its task waits for a slot",
          "[actors][agent]") {
  agent_world w{{ok("1", 25ms)}, 1};
  for (const auto* id : {"a", "b", "c"})
    w.submit(brief(id));
  w.still.advance(1s);
  CHECK(w.how("c") == "OK 1 at 75ms");
  CHECK(w.record("c").attempts() == 1);
}
