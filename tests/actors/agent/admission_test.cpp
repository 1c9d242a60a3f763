#include "tests/actors/agent/agent_world.hpp"

#include <limits>

using namespace agent_tests;

// What is refused before anything runs, in the words that the client hears.

TEST_CASE("a run's quota refuses with its limit and what is used of it",
          "[actors][agent]") {
  auto terms = patient();
  terms.set_quota(2);
  agent_world w{{ok("1", 10ms)}, 1, terms};
  for (const auto* id : {"a", "b", "c"})
    w.submit(task(id));
  CHECK(w.how("c")
        == "refused: quota_exceeded: quota exceeded: limit=2, used=2");
  w.still.advance(1s);
  w.submit(task("d")); // an ended task gives nothing back
  CHECK(w.how("d")
        == "refused: quota_exceeded: quota exceeded: limit=2, used=2");
  CHECK(w.how("a") == "OK 1 at 10ms");
  CHECK(w.how("b") == "OK 1 at 20ms");
}

TEST_CASE("a run's quota is not consumed by what is refused, nor by retries",
          "[actors][agent]") {
  auto terms = patient();
  terms.set_quota(2);
  agent_world w{{fails(backend_error_kind::spawn),
                 fails(backend_error_kind::spawn), ok("1")},
                1,
                terms};
  w.submit(task(""));
  w.submit(task("x", "nowhere"));
  w.submit(task("a"));
  w.still.advance(1s);
  w.submit(task("b"));
  CHECK(w.how("a") == "OK 1 at 300ms");
  CHECK(w.how("b") == "OK 1 at 1s");
  w.submit(task("c"));
  CHECK(w.how("c")
        == "refused: quota_exceeded: quota exceeded: limit=2, used=2");
}

TEST_CASE("a run with a quota of zero accepts nothing", "[actors][agent]") {
  auto terms = patient();
  terms.set_quota(0);
  agent_world w{{ok("1")}, 1, terms};
  w.submit(task("a"));
  CHECK(w.how("a")
        == "refused: quota_exceeded: quota exceeded: limit=0, used=0");
}

TEST_CASE("a task without an identity is refused", "[actors][agent]") {
  agent_world w{{ok("1")}};
  w.submit(task(""));
  CHECK(w.how("")
        == "refused: invalid_argument: AgentTask.agent_id is missing");
  CHECK(w.calls->order().empty());
}

TEST_CASE("a task for a backend that nobody knows is refused",
          "[actors][agent]") {
  agent_world w{{ok("1")}};
  w.submit(task("a", "nowhere"));
  CHECK(w.how("a") == "refused: unknown_backend: unknown backend: nowhere");
}

TEST_CASE("a task that leaves its attempts no time is refused",
          "[actors][agent]") {
  agent_world w{{ok("1")}};
  auto hasty = task("a");
  hasty.set_attempt_timeout_ns(GENERATE(0, -1, INT64_MIN));
  w.submit(hasty);
  CHECK(w.how("a")
        == "refused: invalid_argument: AgentTask.attempt_timeout_ns must be "
           "positive; leave it out for none");
  CHECK(w.calls->order().empty());
}

TEST_CASE("a task whose attempts may take for ever is no trouble",
          "[actors][agent]") {
  agent_world w{{ok("1", 10ms)}};
  auto patient_task = task("a");
  patient_task.set_attempt_timeout_ns(INT64_MAX);
  w.submit(patient_task);
  w.still.advance(10ms);
  CHECK(w.how("a") == "OK 1 at 10ms");
}

TEST_CASE("a run whose terms are senseless is refused", "[actors][agent]") {
  auto terms_with = [](auto change) {
    auto terms = patient();
    change(*terms.mutable_retry());
    return terms.SerializeAsString();
  };
  auto [bytes, answer] = GENERATE_COPY(table<std::string, std::string>({
    {"\xFF\xFF", "invalid_argument: RegisterRequest.state is no "
                 "turnstile.wire.RunTerms"},
    {terms_with([](auto& retry) { retry.set_initial_backoff_ns(-1); }),
     "invalid_argument: initial_backoff must not be negative"},
    {terms_with([](auto& retry) { retry.set_max_backoff_ns(-1); }),
     "invalid_argument: max_backoff must not be negative"},
    {terms_with([](auto& retry) {
       retry.set_multiplier(std::numeric_limits<double>::quiet_NaN());
     }),
     "invalid_argument: multiplier must be a number that is not negative"},
  }));
  agent_world w{{ok("1")}, 1, bytes};
  CHECK(w.news->opening == answer);
}
