#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

/// The records of a run's state: `a: OK 1, b: ERROR`.
std::string records(const wire::RunState& state) {
  std::map<std::string, wire::TaskRecord> sorted(state.records().begin(),
                                                 state.records().end());
  std::string all;
  for (const auto& [id, record] : sorted) {
    CHECK(record.result().agent_id() == id);
    all += (all.empty() ? "" : ", ") + id + ": "
           + wire::AgentStatus_Name(record.result().status()).substr(13) + ' '
           + record.result().output_json();
  }
  return all;
}

} // namespace

TEST_CASE("a run's end gives the records of all its tasks", "[actors][agent]") {
  agent_world w{{ok("1"), fails(backend_error_kind::config), ok("3", 5ms)}};
  for (const auto* id : {"a", "b", "c"})
    w.submit(task(id));
  w.still.advance(1s);
  w.tell(wire::FinishRequest{});
  CHECK(w.news->end == "finished");
  CHECK(records(w.news->state) == "a: OK 1, b: ERROR , c: OK 3");
  CHECK(w.news->state.terms().run_id() == patient().run_id());
}

TEST_CASE("a run's state can be taken out instead", "[actors][agent]") {
  agent_world w{{ok("1"), ok("2")}, 2};
  w.submit(task("a"));
  w.submit(task("b"));
  w.tell(wire::ReleaseRequest{});
  CHECK(w.news->end == "released");
  CHECK(records(w.news->state) == "a: OK 1, b: OK 2");
}

TEST_CASE("a task's failure is a record, and its run goes on",
          "[actors][agent]") {
  agent_world w{{fails(backend_error_kind::config), ok("2")}};
  w.submit(task("a"));
  w.submit(task("b"));
  CHECK(w.how("a").substr(0, 19) == "ERROR non_retryable");
  CHECK(w.how("b") == "OK 2 at 0s");
  w.tell(wire::FinishRequest{});
  CHECK(w.news->end == "finished");
}

TEST_CASE("a run does not finish while one of its tasks runs",
          "[actors][agent]") {
  agent_world w{{ok("1", 10ms)}};
  w.submit(task("a"));
  w.tell(wire::FinishRequest{});
  CHECK(w.news->end.substr(0, 6) == "state:");
  w.still.advance(10ms);
  CHECK(w.how("a") == "OK 1 at 10ms");
}

TEST_CASE("a run that is cancelled ends what hangs, waits and has a pause",
          "[actors][agent]") {
  agent_world w{{ok("1"), fails(backend_error_kind::spawn), hangs()}};
  for (const auto* id : {"done", "pausing", "hanging", "waiting"})
    w.submit(task(id));
  w.still.advance(10ms);
  w.tell(wire::CancelRequest{});
  CHECK(w.news->end == "cancelled");
  CHECK(w.how("done") == "OK 1 at 0s");
  const auto cancelled = "CANCELLED run_cancelled: run cancelled at 10ms";
  CHECK(w.how("hanging") == cancelled);
  CHECK(w.how("waiting") == cancelled);
  CHECK(w.how("pausing") == cancelled);
  CHECK(records(w.news->state)
        == "done: OK 1, hanging: CANCELLED , pausing: CANCELLED , "
           "waiting: CANCELLED ");
  CHECK(w.calls->running() == 0);
  w.still.advance(1h);
  CHECK(w.calls->order().size() == 3); // nothing began afterwards
}

TEST_CASE("a run whose client is gone is cancelled", "[actors][agent]") {
  agent_world w{{hangs()}};
  w.submit(task("a"));
  CHECK(w.calls->running() == 1);
  w.still.kill(w.client);
  CHECK(w.calls->running() == 0);
}
