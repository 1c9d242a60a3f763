#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "tests/actors/agent/agent_world.hpp"

using namespace agent_tests;

namespace {

using late_backend = backend_with<caf::result<void>(wake_atom, std::uint64_t)>;

/// Succeeds 20ms after it was cancelled, with an output that is null.
class late_state {
public:
  explicit late_state(late_backend::pointer self) : self_(self) {}

  late_backend::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) {
        what_ = what;
        owed_ = owed_answer<wire::Completed>{self_};
        return owed_.later();
      },
      [this](const wire::CancelWork&) {
        mail(self_, wake_atom_v, std::uint64_t{0})
          .delay(caf::timespan{20ms})
          .send(late_backend{self_});
        quiet_ = owed_answer<wire::Quiet>{self_};
        return quiet_.later();
      },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
      [this](wake_atom, std::uint64_t) {
        wire::AgentOutcome outcome;
        outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
        outcome.mutable_result()->mutable_tokens_used()->set_output(4);
        owed_.settle(completed_with(what_, outcome));
        quiet_.settle(quiet_about(what_));
      },
    };
  }

private:
  late_backend::pointer self_;
  wire::Execute what_;
  owed_answer<wire::Completed> owed_;
  owed_answer<wire::Quiet> quiet_;
};

} // namespace

TEST_CASE("a task is cancelled alone, whatever it is doing",
          "[actors][agent]") {
  agent_world w{{ok("1"), fails(backend_error_kind::spawn), hangs(), ok("4")}};
  for (const auto* id : {"done", "pausing", "hanging", "waiting", "next"})
    w.submit(task(id));
  w.still.advance(10ms);
  for (std::uint64_t place : {1, 3, 2})
    w.withdraw(place);
  w.still.advance(1h);
  const auto cancelled = "CANCELLED agent_cancelled: agent cancelled at 10ms";
  CHECK(w.how("done") == "OK 1 at 0s");
  CHECK(w.how("pausing") == cancelled);
  CHECK(w.how("hanging") == cancelled);
  CHECK(w.how("waiting") == cancelled);
  CHECK(w.how("next") == "OK 4 at 10ms");
  CHECK(w.record("pausing").attempts() == 1);
  CHECK(w.record("hanging").attempts() == 1);
  CHECK(w.record("waiting").attempts() == 0);
  CHECK(w.calls->order().size() == 4);
  w.tell(wire::FinishRequest{});
  CHECK(w.news->state.records_size() == 5);
}

TEST_CASE("a cancellation is answered with the end that the task has had",
          "[actors][agent]") {
  agent_world w{{ok("1"), hangs()}};
  w.submit(task("done"));
  w.submit(task("hanging"));
  w.withdraw(1);
  w.withdraw(1);
  w.withdraw(7);
  CHECK(w.news->withdrawn
        == "CANCELLED agent_cancelled: agent cancelled at 0s. "
           "abandoned at 0s. "
           "unknown_work: no work 7/7 is remembered. ");
}

TEST_CASE("a second task with the same id is refused", "[actors][agent]") {
  agent_world w{{ok("1"), ok("2")}};
  w.submit(task("a"));
  CHECK(w.how("a") == "OK 1 at 0s");
  w.submit(task("a"));
  CHECK(w.how("a")
        == "refused: duplicate_agent: this run has had a task with the "
           "agent_id a already");
  w.submit(task("b"));
  CHECK(w.how("b") == "OK 2 at 0s");
}

TEST_CASE("a success that comes after its task was cancelled is only counted, "
          "and its slot is free only then",
          "[actors][agent]") {
  auto terms = patient();
  terms.mutable_retry()->set_schema_retry_max(3);
  agent_world w{{}, 1, terms};
  auto late = backend_actor{spawn<late_state>(w.still.system())};
  anon_mail(join_atom_v, std::string{"late"}, late).send(w.scheduler);
  w.still.settle();
  auto checked = task("a");
  checked.set_output_schema_json(R"({"type":"integer"})"); // which null is not
  w.submit(checked);
  w.submit(task("b"));
  w.withdraw(0);
  w.still.advance(19ms);
  CHECK(w.how("a") == "not ended");
  w.withdraw(1);
  CHECK(w.how("b") == "CANCELLED agent_cancelled: agent cancelled at 19ms");
  CHECK(w.record("b").attempts() == 0);
  w.still.advance(1ms);
  CHECK(w.how("a") == "CANCELLED agent_cancelled: agent cancelled at 20ms");
  CHECK(w.record("a").attempts() == 1);
  CHECK(w.record("a").schema_retries() == 0);
  CHECK(w.record("a").tokens().output() == 4);
  w.still.kill(late);
}

TEST_CASE("a backend that does not let go of a cancelled task loses its slot "
          "after the bound",
          "[actors][agent]") {
  agent_world w{{ok("1")}, 1, patient().SerializeAsString(), 5ms};
  auto late = backend_actor{spawn<late_state>(w.still.system())};
  anon_mail(join_atom_v, std::string{"late"}, late).send(w.scheduler);
  w.still.settle();
  w.submit(task("a", "late"));
  w.withdraw(0);
  w.still.advance(4ms);
  CHECK(w.how("a") == "not ended");
  w.submit(task("b"));
  w.still.advance(1ms);
  CHECK(w.how("a") == "CANCELLED agent_cancelled: agent cancelled at 5ms");
  CHECK(w.how("b") == "OK 1 at 5ms");
  w.still.advance(20ms); // the late end of the first is nobody's
  w.tell(wire::FinishRequest{});
  CHECK(w.news->end == "finished");
  w.still.kill(late);
}
