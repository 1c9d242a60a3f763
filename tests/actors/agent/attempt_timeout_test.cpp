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
           "out: attempt_timeout of 30ms at 390ms");
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

TEST_CASE("an attempt without a sign of life for too long is stopped",
          "[actors][agent]") {
  agent_world w{{hangs()}, 1, patient(0)};
  auto quiet = task("a");
  quiet.set_idle_timeout_ns(duration{30ms}.count());
  w.submit(quiet);
  wire::Progress sign;
  *sign.mutable_work_id() = to_wire(work_id{{7}, 0, 0});
  sign.set_submission(1);
  for (int i = 0; i < 10; ++i) {
    w.still.advance(29ms);
    anon_mail(sign).send(w.scheduler);
    w.still.settle();
  }
  CHECK(w.calls->running() == 1);
  sign.set_submission(2); // not of this attempt
  w.still.advance(15ms);
  anon_mail(sign).send(w.scheduler);
  w.still.advance(14ms);
  CHECK(w.calls->running() == 1);
  w.still.advance(1ms);
  CHECK(w.how("a")
        == "TIMED_OUT exhausted: backend error after 1 attempts: backend timed "
           "out: idle_timeout of 30ms at 320ms");
}

TEST_CASE("signs of life do not help against the limit of the whole attempt",
          "[actors][agent]") {
  agent_world w{{hangs()}, 1, patient(0)};
  auto both = brief("a");
  both.set_idle_timeout_ns(duration{20ms}.count());
  w.submit(both);
  wire::Progress sign;
  *sign.mutable_work_id() = to_wire(work_id{{7}, 0, 0});
  sign.set_submission(1);
  w.still.advance(19ms);
  anon_mail(sign).send(w.scheduler);
  w.still.advance(1s);
  CHECK(w.how("a")
        == "TIMED_OUT exhausted: backend error after 1 attempts: backend timed "
           "out: attempt_timeout of 30ms at 30ms");
}
