#include "core/attempt/next_step.hpp"

#include "tests/catch.hpp"

#include <string>
#include <vector>

using namespace turnstile;
using namespace std::chrono_literals;

namespace {

using kind = backend_error_kind;

/// The default policy, and tasks that fail on its terms.
struct task {
  task() { policy.jitter = jitter_kind::none; }

  std::string fails(const backend_error& error) { return meets(error); }

  std::string meets(const attempt_problem& problem) {
    ++log.attempts;
    auto next = next_step(policy, log, problem, chance);
    if (const auto* again = std::get_if<retry_after>(&next))
      return "again after " + std::to_string(again->delay / 1ms) + " ms";
    return to_string(std::get<give_up>(next).why);
  }

  retry_policy policy;
  attempt_log log;
  random_source chance;
};

} // namespace

TEST_CASE("what follows a first failure depends on its kind alone",
          "[core][attempt]") {
  auto [which, next] = GENERATE(table<kind, std::string>({
    {kind::spawn, "again after 500 ms"},
    {kind::timeout, "again after 500 ms"},
    {kind::protocol,
     "non_retryable: backend error (non-retryable): protocol error: why"},
    {kind::connection,
     "non_retryable: backend error (non-retryable): connection error: why"},
    {kind::cancelled, "agent_cancelled: agent cancelled"},
    {kind::config,
     "non_retryable: backend error (non-retryable): configuration error: why"},
    {kind::io, "non_retryable: backend error (non-retryable): IO error: why"},
    {kind::parse,
     "non_retryable: backend error (non-retryable): parse error: why"},
    {kind::execution,
     "non_retryable: backend error (non-retryable): execution error: why"},
    {kind::other, "non_retryable: backend error (non-retryable): why"},
  }));
  CAPTURE(to_string(which));
  CHECK(task{}.fails({which, "why"}) == next);
}

TEST_CASE("retryable failures are retried with growing pauses, then exhausted",
          "[core][attempt]") {
  auto it = task{};
  CHECK(it.fails({kind::spawn, "busy"}) == "again after 500 ms");
  CHECK(it.fails({kind::timeout, ""}) == "again after 1000 ms");
  CHECK(it.fails({kind::spawn, "busy"})
        == "exhausted: backend error after 3 attempts: spawn failed: busy");
  CHECK(it.log.retries == 2);
}

TEST_CASE("the last failure is the one that is told", "[core][attempt]") {
  auto [max_retries, text] = GENERATE(table<std::uint32_t, std::string>({
    {0, "exhausted: backend error after 1 attempts: backend timed out"},
    {1, "exhausted: backend error after 2 attempts: backend timed out"},
    {5, "exhausted: backend error after 6 attempts: backend timed out"},
  }));
  auto it = task{};
  it.policy.max_retries = max_retries;
  for (std::uint32_t retry = 0; retry < max_retries; ++retry)
    CHECK(it.fails({kind::spawn, "busy"}).starts_with("again"));
  CHECK(it.fails({kind::timeout, ""}) == text);
}

TEST_CASE("a failure that no retry mends ends a task between its retries",
          "[core][attempt]") {
  auto [which, end] = GENERATE(table<kind, std::string>({
    {kind::cancelled, "agent_cancelled: agent cancelled"},
    {kind::parse,
     "non_retryable: backend error (non-retryable): parse error: why"},
  }));
  auto it = task{};
  CHECK(it.fails({kind::spawn, "busy"}) == "again after 500 ms");
  CHECK(it.fails({which, "why"}) == end);
  CHECK(it.log.retries == 1);
}

TEST_CASE("schema retries are no part of the count of attempts that failed",
          "[core][attempt]") {
  auto it = task{};
  it.policy.max_retries = 1;
  it.log.attempts = 3;
  it.log.schema_retries = 3;
  CHECK(it.fails({kind::spawn, "busy"}) == "again after 500 ms");
  CHECK(it.fails({kind::spawn, "busy"})
        == "exhausted: backend error after 2 attempts: spawn failed: busy");
}

TEST_CASE("the pause before a retry is drawn from the given chance",
          "[core][attempt]") {
  const auto seed = std::uint64_t{99};
  auto policy = retry_policy{};
  policy.max_retries = 20;
  auto delays = [&] {
    auto log = attempt_log{};
    auto chance = random_source{seed};
    std::vector<duration> out;
    for (std::uint32_t retry = 1; retry <= policy.max_retries; ++retry) {
      auto next =
        next_step(policy, log, backend_error{kind::timeout, ""}, chance);
      out.push_back(std::get<retry_after>(next).delay);
      CHECK(out.back() <= backoff(policy, retry));
    }
    return out;
  };
  CHECK(delays() == delays());
}

TEST_CASE("a refusal to retry draws nothing", "[core][attempt]") {
  auto it = task{};
  it.policy.jitter = jitter_kind::full;
  static_cast<void>(it.fails({kind::cancelled, ""}));
  static_cast<void>(it.fails({kind::parse, ""}));
  it.policy.max_retries = 0;
  static_cast<void>(it.fails({kind::spawn, ""}));
  CHECK(it.chance.draw() == random_source{}.draw());
}

TEST_CASE("outputs that do not match have retries of their own, at once",
          "[core][attempt]") {
  task t;
  t.policy.max_retries = 1;
  t.policy.schema_retry_max = 2;
  const schema_mismatch mismatch{"at /a: wants a number"};
  CHECK(t.meets(mismatch) == "again after 0 ms");
  CHECK(t.fails(backend_error{kind::spawn, "why"}) == "again after 500 ms");
  CHECK(t.meets(mismatch) == "again after 0 ms");
  CHECK(t.log.retries == 1);
  CHECK(t.log.schema_retries == 2);
  CHECK(t.meets(mismatch)
        == "schema_validation: output schema validation failed: at /a: wants a "
           "number");
  CHECK(t.log.attempts == 4); // 1 + max_retries + schema_retry_max
}
