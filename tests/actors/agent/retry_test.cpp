#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

TEST_CASE("a task that failed for the moment succeeds later",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::spawn),
                 fails(backend_error_kind::timeout), ok("42", 5ms)}};
  w.submit(task("a"));
  w.still.advance(1s);
  CHECK(w.how("a") == "OK 42 at 305ms");
  CHECK(w.record("a").attempts() == 3);
  CHECK(w.record("a").retries() == 2);
  CHECK(w.record("a").backend() == "mock");
  CHECK(duration{w.record("a").elapsed_ns()} == 305ms);
}

TEST_CASE("a task that goes on failing is given up with the last reason",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::timeout),
                 fails(backend_error_kind::spawn, 5ms, "no such program")}};
  w.submit(task("a"));
  w.still.advance(1s);
  CHECK(w.how("a")
        == "ERROR exhausted: backend error after 3 attempts: spawn failed: no "
           "such program at 310ms");
  CHECK(w.record("a").attempts() == 3);
  CHECK(w.record("a").retries() == 2);
  CHECK(w.record("a").result().output_json().empty());
}

TEST_CASE("a task is not tried again if no other try can mend it",
          "[actors][agent]") {
  using kind = backend_error_kind;
  auto [what, answer] = GENERATE(table<kind, std::string>({
    {kind::protocol, "ERROR non_retryable: backend error (non-retryable): "
                     "protocol error: mock protocol at 0s"},
    {kind::connection, "ERROR non_retryable: backend error (non-retryable): "
                       "connection error: mock connection at 0s"},
    {kind::config, "ERROR non_retryable: backend error (non-retryable): "
                   "configuration error: mock config at 0s"},
    {kind::io, "ERROR non_retryable: backend error (non-retryable): "
               "IO error: mock io at 0s"},
    {kind::parse, "ERROR non_retryable: backend error (non-retryable): "
                  "parse error: mock parse at 0s"},
    {kind::execution, "ERROR non_retryable: backend error (non-retryable): "
                      "execution error: mock execution at 0s"},
    {kind::other, "ERROR non_retryable: backend error (non-retryable): "
                  "mock other at 0s"},
    {kind::cancelled, "CANCELLED agent_cancelled: agent cancelled at 0s"},
  }));
  agent_world w{{fails(what), ok("1")}};
  w.submit(task("a"));
  CHECK(w.how("a") == answer);
  CHECK(w.record("a").attempts() == 1);
  CHECK(w.record("a").retries() == 0);
  CHECK(w.waits().empty());
}

TEST_CASE("a task that waits for its next try holds no slot",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::spawn), ok("2", 10ms), ok("1")}, 1};
  w.submit(task("a"));
  w.submit(task("b"));
  CHECK(w.calls->running() == 1); // b, while a waits
  w.still.advance(1s);
  CHECK(w.how("b") == "OK 2 at 10ms");
  CHECK(w.how("a") == "OK 1 at 100ms");
  CHECK(w.calls->peak_running() == 1);
}

TEST_CASE("a task that is due again waits for a slot like any other",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::spawn), ok("2", 250ms), ok("1")}, 1};
  w.submit(task("a"));
  w.submit(task("b"));
  w.still.advance(1s);
  CHECK(w.how("a") == "OK 1 at 250ms");
  CHECK(w.calls->peak_running() == 1);
}

TEST_CASE("the tokens of all attempts are the task's, and of all tasks the "
          "run's",
          "[actors][agent]") {
  wire::AgentOutcome spent;
  *spent.mutable_error() =
    to_wire(backend_error{backend_error_kind::spawn, ""});
  spent.mutable_tokens_spent()->set_input(100);
  wire::TokenUsage tokens;
  tokens.set_input(10);
  tokens.set_output(3);
  agent_world w{{succeed{spent.SerializeAsString()}, ok("1", 0ms, tokens)}};
  w.submit(task("a"));
  w.submit(task("b"));
  w.still.advance(1s);
  w.tell(wire::FinishRequest{});
  CHECK(w.record("a").tokens().input() == 110);
  CHECK(w.record("a").tokens().output() == 3);
  CHECK(w.record("a").result().tokens_used().input() == 10);
  CHECK(w.news->state.tokens().input() == 120);
  CHECK(w.news->state.tokens().output() == 6);
}

TEST_CASE("a backend that answers neither result nor error has failed its task",
          "[actors][agent]") {
  auto [bytes, answer] = GENERATE(table<std::string, std::string>({
    {"", "ERROR non_retryable: backend error (non-retryable): protocol error: "
         "the backend answered neither a result nor an error at 0s"},
    {"\xFF", "ERROR non_retryable: backend error (non-retryable): the "
             "backend's outcome is no turnstile.wire.AgentOutcome at 0s"},
  }));
  agent_world w{{succeed{bytes}}};
  w.submit(task("a"));
  CHECK(w.how("a") == answer);
}

TEST_CASE("a result that is not ok has a reason, and is not asked for again",
          "[actors][agent]") {
  auto [status, answer] = GENERATE(table<wire::AgentStatus, std::string>({
    {wire::AGENT_STATUS_ERROR,
     "ERROR non_retryable: the agent says that it failed at 0s"},
    {wire::AGENT_STATUS_UNSPECIFIED,
     "UNSPECIFIED non_retryable: the agent says that it failed at 0s"},
    {wire::AGENT_STATUS_TIMED_OUT,
     "TIMED_OUT non_retryable: the agent says that its time was up at 0s"},
    {wire::AGENT_STATUS_CANCELLED,
     "CANCELLED agent_cancelled: agent cancelled at 0s"},
  }));
  wire::AgentOutcome outcome;
  outcome.mutable_result()->set_status(status);
  outcome.mutable_result()->set_output_json("\"so far\"");
  agent_world w{{succeed{outcome.SerializeAsString()}, ok("1")}};
  w.submit(task("a"));
  CHECK(w.how("a") == answer);
  CHECK(w.record("a").attempts() == 1);
  CHECK(w.record("a").result().output_json() == "\"so far\"");
}
