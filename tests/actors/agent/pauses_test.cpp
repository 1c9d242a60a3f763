#include "tests/actors/agent/agent_world.hpp"

#include <limits>

using namespace agent_tests;

namespace {

/// The waits of a task that never succeeds.
std::string pauses(const wire::RunTerms& terms) {
  agent_world w{{fails(backend_error_kind::spawn)}, 1, terms};
  w.submit(task("a"));
  return w.waits();
}

wire::RunTerms jittery(std::uint64_t seed) {
  auto terms = patient(5);
  terms.mutable_retry()->set_full_jitter(true);
  terms.set_seed(seed);
  return terms;
}

} // namespace

TEST_CASE("pauses between attempts grow until they are as long as they may be",
          "[actors][agent]") {
  CHECK(pauses(patient(0)).empty());
  CHECK(pauses(patient(1)) == "100ms");
  CHECK(pauses(patient(6)) == "100ms 200ms 400ms 500ms 500ms 500ms");
}

TEST_CASE("pauses without length are no pauses", "[actors][agent]") {
  auto terms = patient(1000);
  terms.mutable_retry()->set_initial_backoff_ns(0);
  CHECK(pauses(terms).empty());
}

TEST_CASE("pauses with jitter are drawn by the run's seed", "[actors][agent]") {
  const auto drawn = pauses(jittery(7));
  CHECK(drawn == pauses(jittery(7)));
  CHECK(drawn != pauses(jittery(8)));
  CHECK(drawn == "38982974ns 3357658ns 360304272ns 291465146ns 226220947ns");
}

TEST_CASE("pauses of a run without a seed are drawn by its identity",
          "[actors][agent]") {
  auto terms = jittery(0);
  terms.clear_seed();
  // The same on every machine, so that a run can be told from its identity.
  const auto known =
    "48858968ns 61544456ns 162638349ns 328527951ns 190952543ns";
  CHECK(pauses(terms) == known);
  terms.set_run_id("0197f0a2-7f00-7000-8000-000000000002");
  CHECK(pauses(terms) != known);
}

TEST_CASE("pauses as long as can be said do not end the scheduler",
          "[actors][agent]") {
  auto terms = patient(2);
  terms.mutable_retry()->set_initial_backoff_ns(INT64_MAX);
  terms.mutable_retry()->set_max_backoff_ns(INT64_MAX);
  agent_world w{{fails(backend_error_kind::spawn), ok("2")}, 1, terms};
  w.submit(task("a"));
  w.submit(task("b"));
  CHECK(w.how("b") == "OK 2 at 0s");
  w.still.advance(1h);
  CHECK(w.how("a") == "not ended");
}
