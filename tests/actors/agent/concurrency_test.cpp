#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

TEST_CASE("an agent scheduler has one slot unless told otherwise",
          "[actors][agent]") {
  const auto options = agent_scheduler_options{};
  CHECK(options.concurrency == 1);
  CHECK(settings_for(options).limits.max_in_flight_global == 1);
}

TEST_CASE("an agent scheduler uses all of its slots and never one more",
          "[actors][agent]") {
  agent_world w{{ok("1", 10ms)}, 3};
  for (const auto* id : {"a", "b", "c", "d", "e", "f", "g"})
    w.submit(task(id));
  CHECK(w.calls->running() == 3);
  w.still.advance(10ms);
  CHECK(w.calls->running() == 3);
  w.still.advance(20ms);
  CHECK(w.calls->running() == 0);
  CHECK(w.calls->peak_running() == 3);
  CHECK(w.how("c") == "OK 1 at 10ms");
  CHECK(w.how("f") == "OK 1 at 20ms");
  CHECK(w.how("g") == "OK 1 at 30ms");
}

TEST_CASE("an agent scheduler gives a slot away as soon as it is free",
          "[actors][agent]") {
  agent_world w{{ok("1", 30ms), ok("2", 10ms)}, 2};
  for (const auto* id : {"slow", "b", "c", "d"})
    w.submit(task(id));
  w.still.advance(1s);
  CHECK(w.how("slow") == "OK 1 at 30ms");
  CHECK(w.how("b") == "OK 2 at 10ms");
  CHECK(w.how("c") == "OK 2 at 20ms");
  CHECK(w.how("d") == "OK 2 at 30ms");
  CHECK(w.calls->peak_running() == 2);
}

TEST_CASE("an agent scheduler without slots is refused", "[actors][agent]") {
  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  agent_scheduler_options options;
  options.concurrency = 0;
  auto made = spawn_agent_scheduler(still.system(), options);
  REQUIRE_FALSE(made.has_value());
  CHECK(to_string(made.error())
        == "invalid_limits: concurrency must be positive; with 0 every task "
           "would wait for ever");
}
