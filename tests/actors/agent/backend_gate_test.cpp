#include "tests/actors/agent/agent_world.hpp"
#include "tests/actors/asking.hpp"

// How much a backend is given to do, and how it is treated when it cannot.

using namespace agent_tests;

namespace {

/// The attempt fails, and the backend wants no call for so long.
backend_step wants_pause(duration pause,
                         backend_error_kind kind = backend_error_kind::spawn) {
  wire::AgentOutcome outcome;
  *outcome.mutable_error() = to_wire(backend_error{kind, "busy", pause});
  return succeed{outcome.SerializeAsString()};
}

backend_step fails_to_start() {
  return fails(backend_error_kind::spawn);
}

/// Joins a backend that takes so many attempts at a time.
void join(agent_world& w, const backend_actor& backend,
          const wire::BackendTerms& terms) {
  anon_mail(join_atom_v, terms, backend).send(w.scheduler);
  w.still.settle();
}

wire::BackendTerms named(const std::string& name) {
  wire::BackendTerms terms;
  terms.set_name(name);
  return terms;
}

wire::BackendTerms narrow(const std::string& name, std::uint64_t concurrency) {
  auto terms = named(name);
  terms.set_concurrency(concurrency);
  return terms;
}

/// How many attempts have begun.
std::size_t begun(const agent_world& w) {
  return w.calls->order().size();
}

} // namespace

TEST_CASE("a backend gets at most as many attempts at a time as it takes, and "
          "the slots go to others",
          "[actors][agent]") {
  agent_world w{{}, 3};
  auto slow = w.make_backend({ok("1", 100ms)});
  auto other = w.make_backend({ok("2", 100ms)});
  join(w, slow, narrow("slow", 1));
  join(w, other, named("other"));
  for (const auto* id : {"a", "b", "c"})
    w.submit(task(id, "slow"));
  for (const auto* id : {"x", "y"})
    w.submit(task(id, "other"));
  CHECK(w.waits() == "100ms 100ms 100ms");
  CHECK(w.how("a") == "OK 1 at 100ms");
  CHECK(w.how("x") == "OK 2 at 100ms");
  CHECK(w.how("y") == "OK 2 at 100ms");
  CHECK(w.how("b") == "OK 1 at 200ms");
  CHECK(w.how("c") == "OK 1 at 300ms");
  w.still.kill(slow);
  w.still.kill(other);
}

TEST_CASE("no task calls a backend before the pause that it has asked for",
          "[actors][agent]") {
  agent_world w{{}, 2};
  auto busy = w.make_backend({wants_pause(30s), ok("1")});
  auto other = w.make_backend({ok("2")});
  join(w, busy, narrow("busy", 1));
  join(w, other, named("other"));
  w.submit(task("a", "busy"));
  w.submit(task("b", "busy"));
  w.submit(task("x", "other"));
  CHECK(w.how("x") == "OK 2 at 0s"); // others are not affected
  w.waits();
  CHECK(w.how("b") == "OK 1 at 30s");
  CHECK(w.how("a") == "OK 1 at 30s");
  CHECK(w.record("a").retries() == 1);
  w.still.kill(busy);
  w.still.kill(other);
}

TEST_CASE("a wanted pause is obeyed also if that error is not tried again",
          "[actors][agent]") {
  agent_world w{{wants_pause(10s, backend_error_kind::connection), ok("1")}};
  w.submit(task("a"));
  w.submit(task("b"));
  CHECK(w.how("a").starts_with("ERROR non_retryable"));
  w.waits();
  CHECK(w.how("b") == "OK 1 at 10s");
}

TEST_CASE("a backend that keeps failing to start rests, and its tasks wait "
          "instead of using up their retries",
          "[actors][agent]") {
  agent_world w{{fails_to_start(), fails_to_start(), fails_to_start(),
                 fails_to_start(), ok("1")},
                4,
                patient(2)};
  auto tired = named("mock");
  tired.set_rest_after(3);
  join(w, w.mock, tired);
  for (const auto* id : {"a", "b", "c", "d", "e", "f"})
    w.submit(task(id));
  w.waits();
  CHECK(begun(w) == 10); // four failures and six successes
  for (const auto* id : {"a", "b", "c", "d", "e", "f"})
    CHECK(w.how(id).starts_with("OK 1"));
}

TEST_CASE("a rested backend is tried by one task, longer and longer apart",
          "[actors][agent]") {
  agent_world w{{fails_to_start()}, 1, patient(100)};
  auto terms = named("mock");
  terms.set_rest_after(2);
  terms.set_first_rest_ns(duration{1s}.count());
  terms.set_max_rest_ns(duration{4s}.count());
  join(w, w.mock, terms);
  w.submit(task("a"));
  w.submit(task("b"));
  CHECK(begun(w) == 2);
  for (auto [wait, calls] : {std::pair{1s, 3U}, {2s, 4U}, {4s, 5U}, {4s, 6U}}) {
    w.still.advance(wait - 1ns);
    CHECK(begun(w) == calls - 1);
    w.still.advance(1ns);
    CHECK(begun(w) == calls);
  }
}

TEST_CASE("a task that waits for its backend can be cancelled at once",
          "[actors][agent]") {
  agent_world w{{hangs()}, 2};
  join(w, w.mock, narrow("mock", 1));
  w.submit(task("a"));
  w.submit(task("b"));
  w.withdraw(1);
  CHECK(w.how("b") == "CANCELLED agent_cancelled: agent cancelled at 0s");
  CHECK(w.record("b").attempts() == 0);
  CHECK(begun(w) == 1);
  w.withdraw(0);
  CHECK(w.how("a").starts_with("CANCELLED"));
}

TEST_CASE("a deadline passes while a task waits for its backend",
          "[actors][agent]") {
  agent_world w{{ok("1", 10s)}, 2};
  join(w, w.mock, narrow("mock", 1));
  w.submit(task("a"));
  auto late = task("b");
  late.set_deadline_ns(duration{1s}.count());
  w.submit(late);
  w.waits();
  CHECK(w.how("b").starts_with("TIMED_OUT deadline_exceeded"));
  CHECK(w.how("b").ends_with("at 1s"));
  CHECK(w.how("a") == "OK 1 at 10s");
}

TEST_CASE("tasks that wait for a backend hear at once that it has gone",
          "[actors][agent]") {
  agent_world w{{hangs()}, 1};
  join(w, w.mock, narrow("mock", 1));
  w.submit(task("a", "mock"));
  w.submit(task("b", "mock"));
  anon_mail(leave_atom_v, std::string{"mock"}).send(w.scheduler);
  w.still.settle();
  CHECK(w.how("a") == "not ended"); // what it executes goes on
  w.withdraw(0);
  CHECK(w.how("b").starts_with("ERROR unknown_backend"));
}

TEST_CASE("a greater concurrency lets waiting tasks start at once",
          "[actors][agent]") {
  agent_world w{{ok("1", 1s)}, 3};
  join(w, w.mock, narrow("mock", 1));
  for (const auto* id : {"a", "b", "c"})
    w.submit(task(id));
  CHECK(begun(w) == 1);
  join(w, w.mock, narrow("mock", 3));
  CHECK(begun(w) == 3);
}

TEST_CASE("senseless terms of a backend are refused by their field",
          "[actors][agent]") {
  agent_world w{{ok("1")}};
  auto refused = new_pending<void>();
  spawn_asker<void>(w.still.system(),
                    asks(w.scheduler, join_atom_v, narrow("mock", 0), w.mock),
                    noting<void>(refused));
  w.still.settle();
  CHECK(to_string((*refused)->error())
        == "invalid_argument: BackendTerms: concurrency must be positive; "
           "leave it out for any number");
}

TEST_CASE("works that name no backend go where an adapter has seen one answer, "
          "as long as it is registered",
          "[actors][agent]") {
  agent_world w{{ok("1")}};
  auto other = w.make_backend({ok("2")});
  wire::ObservedBackend seen;
  seen.set_backend("other");
  anon_mail(seen).send(w.scheduler);
  w.submit(task("a"));
  CHECK(w.how("a").starts_with("OK 1")); // it is not registered
  join(w, other, named("other"));
  w.submit(task("b"));
  CHECK(w.how("b").starts_with("OK 2"));
  w.submit(task("c", "mock")); // who names one gets that one
  CHECK(w.how("c").starts_with("OK 1"));
  anon_mail(wire::ObservedBackend{}).send(w.scheduler);
  w.submit(task("d"));
  CHECK(w.how("d").starts_with("OK 1"));
  w.still.kill(other);
}

TEST_CASE("a scheduler says which backends it has, what they can do and how "
          "they are",
          "[actors][agent]") {
  agent_world w{{hangs()}, 2};
  join(w, w.mock, narrow("mock", 1));
  join(w, w.mock, named("also"));
  w.submit(task("a"));
  w.submit(task("b"));
  wire::Backends seen;
  spawn_asker<wire::Backends>(
    w.still.system(), asks(w.scheduler, wire::BackendsQuery{}),
    [&](result<wire::Backends> all) { seen = all.value(); });
  w.still.settle();
  REQUIRE(seen.entries_size() == 2);
  CHECK(seen.entries(0).terms().name() == "also");
  CHECK_FALSE(seen.entries(0).terms().as_default());
  const auto& mock = seen.entries(1);
  CHECK(mock.terms().as_default());
  CHECK(mock.terms().concurrency() == 1);
  CHECK(mock.executing() == 1);
  CHECK(mock.waiting() == 1);
  CHECK_FALSE(mock.resting());
  CHECK(mock.capabilities().backend() == "mock");
  w.withdraw(1);
  w.withdraw(0);
}
