#include "tests/actors/agent/agent_world.hpp"
#include "tests/actors/explained.hpp"
#include "tests/actors/stubborn_backend.hpp"

// Why a task does not go on, and what would let it.

using namespace agent_tests;

namespace {

std::string why(agent_world& w, const std::string& id) {
  return explain(w.still, w.scheduler, 7, id);
}

/// Joins a backend under the terms of `set`.
template <class Set>
void join(agent_world& w, const std::string& name,
          std::vector<backend_step> steps, Set set) {
  wire::BackendTerms terms;
  terms.set_name(name);
  set(terms);
  anon_mail(join_atom_v, terms, w.make_backend(std::move(steps)))
    .send(w.scheduler);
  w.still.settle();
}

backend_step wants_pause(duration pause) {
  wire::AgentOutcome outcome;
  *outcome.mutable_error() =
    to_wire(backend_error{backend_error_kind::connection, "busy", pause});
  return succeed{outcome.SerializeAsString()};
}

} // namespace

TEST_CASE("a task waits for the slots of its run, and one behind it, too",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  for (const auto* id : {"a", "b", "c"})
    w.submit(task(id));
  w.still.advance(3s);
  CHECK(why(w, "a") == "EXECUTING: backend mock has had it for 3s => its end");
  CHECK(why(w, "b")
        == "REQUEST_SLOTS: its request has as many in flight as it may "
           "(max_in_flight_per_request 1): a => the end of one of these, or a "
           "greater max_in_flight_per_request");
  CHECK(why(w, "c")
        == "REQUEST_SLOTS: its request has as many in flight as it may "
           "(max_in_flight_per_request 1): a; 1 of its request comes before it "
           "=> the end of one of these, or a greater "
           "max_in_flight_per_request");
}

TEST_CASE("a task that executes meets the next of its limits",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  auto both = task("a");
  both.set_attempt_timeout_ns(duration{60s}.count());
  both.set_idle_timeout_ns(duration{20s}.count());
  w.submit(both);
  w.still.advance(5s);
  CHECK(why(w, "a")
        == "EXECUTING: backend mock has had it for 5s => its end, or its "
           "idle_timeout in 15s");
}

TEST_CASE("a task waits until its next attempt, and says why the last failed",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::spawn), hangs()}};
  w.submit(task("a"));
  w.still.advance(30ms);
  CHECK(why(w, "a")
        == "BACK_OFF: its next attempt comes in 70ms => time [1 attempt is "
           "over; the last failed: spawn: mock spawn]");
  w.still.advance(1s);
  CHECK(why(w, "a")
        == "EXECUTING: backend mock has had it for 930ms => its end [1 attempt "
           "is over; the last failed: spawn: mock spawn]");
}

TEST_CASE("a task waits for a backend that runs as many as it may",
          "[actors][agent]") {
  agent_world w{{}, 4};
  join(w, "narrow", {hangs()},
       [](wire::BackendTerms& terms) { terms.set_concurrency(1); });
  w.submit(task("a", "narrow"));
  w.submit(task("b", "narrow"));
  CHECK(why(w, "b")
        == "BACKEND_FULL: backend narrow runs as many as it may (concurrency "
           "1): a => the end of one of these, or a greater concurrency");
}

TEST_CASE("a task waits for a backend that keeps failing to start",
          "[actors][agent]") {
  agent_world w{{}, 4, patient(9)};
  join(w, "broken", {fails(backend_error_kind::spawn), hangs()},
       [](wire::BackendTerms& terms) {
         terms.set_rest_after(1);
         terms.set_first_rest_ns(duration{10s}.count());
       });
  w.submit(task("a", "broken"));
  w.submit(task("b", "broken"));
  w.still.advance(4s);
  CHECK(why(w, "b")
        == "BACKEND_RESTS: backend broken keeps failing to start and rests for "
           "6s => an attempt that it starts");
  w.still.advance(6s);
  CHECK(why(w, "a") + why(w, "b")
        == "BACKEND_RESTS: backend broken keeps failing to start; one attempt "
           "probes it: b => an attempt that it starts [1 attempt is over; the "
           "last failed: spawn: mock spawn]EXECUTING: backend broken has had "
           "it for 0s => its end");
}

TEST_CASE("a task waits for a backend that wants no call for a while",
          "[actors][agent]") {
  agent_world w{{}, 4};
  join(w, "busy", {wants_pause(8s), hangs()}, [](wire::BackendTerms&) {});
  w.submit(task("a", "busy"));
  w.still.advance(2s);
  w.submit(task("b", "busy"));
  CHECK(why(w, "b")
        == "BACKEND_PAUSES: backend busy wants no call for 6s => time");
}

TEST_CASE("a task that was parked waits for what its backend waits for",
          "[actors][agent]") {
  agent_world w{{hangs()}};
  w.submit(task("a"));
  wire::ParkWork parks;
  parks.mutable_work_id()->mutable_request()->set_value(7);
  parks.mutable_work_id()->set_sequence(0);
  parks.mutable_work_id()->set_life(0);
  parks.set_submission(1);
  anon_mail(parks).send(w.scheduler);
  w.still.settle();
  CHECK(why(w, "a")
        == "PARKED: backend mock has it and waits for something else; it holds "
           "no slot => its backend, which says when it goes on");
}

TEST_CASE("a task that is to stop waits for its backend to be quiet",
          "[actors][agent]") {
  agent_world w{{}};
  wire::BackendTerms terms;
  terms.set_name("mock");
  backend_actor stubborn = spawn<testing::stubborn_state>(w.still.system());
  anon_mail(join_atom_v, terms, stubborn).send(w.scheduler);
  w.still.settle();
  w.submit(task("a"));
  w.withdraw(0);
  CHECK(why(w, "a")
        == "STOPPING: it is to stop, since it was cancelled, and backend mock "
           "has not ended it => its backend, which ends it");
  w.still.kill(stubborn);
}

TEST_CASE("of a task that has ended nothing is held", "[actors][agent]") {
  agent_world w{{ok("1")}};
  w.submit(task("a"));
  CHECK(why(w, "a") == "ENDED: it has ended => nothing: it goes on no more");
}

TEST_CASE("nobody explains what is not there", "[actors][agent]") {
  agent_world w{{ok("1")}};
  CHECK(why(w, "a") == "unknown_work: request 7 has had no work a");
  CHECK(explain(w.still, w.scheduler, 8, "a")
        == "unknown_request: request 8 is not active");
}
