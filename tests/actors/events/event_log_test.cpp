#include "actors/events/event_log.hpp"

#include "tests/actors/events/event_world.hpp"
#include "tests/actors/log_reader.hpp"

// What publishers and readers of events are told, on virtual time.

using namespace event_tests;

TEST_CASE("the event log numbers the events of each run, and dates them",
          "[actors][events]") {
  event_world w;
  CHECK(w.publish(started()) == "done");
  w.still.advance(1500ms);
  CHECK(w.publish(started("other")) == "done");
  CHECK(w.publish(line("a")) == "done");
  CHECK(text(w.read(from(0))) == "1 run_started; 2 log a; next 3");
  CHECK(text(w.read(from(0, 0, "other"))) == "1 run_started; next 2");
  const auto last = w.read(from(2));
  CHECK(event_json((**last)->events(0))
        == R"({"type":"log","run_id":"r","number":2,)"
           R"("ts":"1970-01-01T00:00:01.500000000Z",)"
           R"("agent_id":null,"level":"unspecified","msg":"a"})");
}

TEST_CASE("the number of an event is the log's, whatever its publisher wrote",
          "[actors][events]") {
  event_world w;
  auto claims = started();
  claims.set_number(77);
  claims.set_ts_ns(5);
  w.still.advance(1s);
  CHECK(w.publish(claims) == "done");
  const auto read = w.read(from(0));
  CHECK(text(read) == "1 run_started; next 2");
  CHECK((**read)->events(0).ts_ns() == 1'000'000'000);
}

TEST_CASE("the event log dates events by the machine if it is told nothing "
          "else",
          "[actors][events]") {
  testing::still_world_of<caf::id_block::turnstile,
                          caf::id_block::turnstile_handles>
    still;
  const auto log = spawn_event_log(still.system());
  auto seen = testing::new_pending<wire::EventBatch>();
  anon_mail(started()).send(log);
  still.settle();
  testing::spawn_asker<wire::EventBatch>(
    still.system(), testing::asks(log, from(1)),
    testing::noting<wire::EventBatch>(seen));
  still.settle();
  REQUIRE(text(seen) == "1 run_started; next 2");
  const auto dated = std::chrono::nanoseconds{(**seen)->events(0).ts_ns()};
  const auto machine = std::chrono::system_clock::now().time_since_epoch();
  CHECK(dated <= machine);
  CHECK(dated > machine - 1h);
  still.kill(log);
}

TEST_CASE("a reader goes on with the cursor that it was given",
          "[actors][events]") {
  event_world w;
  for (const auto* msg : {"a", "b", "c"})
    w.publish(line(msg));
  CHECK(text(w.read(from(0, 2))) == "1 log a; 2 log b; next 3");
  CHECK(text(w.read(from(3, 2))) == "3 log c; next 4");
  CHECK(text(w.read(from(4, 2))) == "next 4");
  CHECK(text(w.read(from(5, 2)))
        == "invalid_argument: EventsQuery.from: run r has no event 5 yet; its "
           "next one is 4");
}

TEST_CASE("who waits is answered as soon as there is something",
          "[actors][events]") {
  event_world w;
  w.publish(started());
  auto one = w.read(waiting(from(2)));
  auto two = w.read(waiting(from(2, 7)));
  auto behind = w.read(waiting(from(1)));
  CHECK(text(one) + text(two) == "--");
  CHECK(text(behind) == "1 run_started; next 2");
  w.still.advance(1h);
  CHECK(text(one) + text(two) == "--");
  w.publish(line("a"));
  CHECK(text(one) == "2 log a; next 3");
  CHECK(text(two) == "2 log a; next 3");
}

TEST_CASE("who waits is answered at the end of the run", "[actors][events]") {
  event_world w;
  w.publish(started());
  auto waits = w.read(waiting(from(2)));
  w.publish(run_done());
  CHECK(text(waits) == "2 run_done; next 3, ended");
  CHECK(text(w.read(waiting(from(3)))) == "next 3, ended");
}

TEST_CASE("who waits hears that the log itself has ended", "[actors][events]") {
  event_world w;
  w.publish(started());
  auto waits = w.read(waiting(from(2)));
  w.still.kill(w.log);
  CHECK(text(waits) == "backend_lost: the actor ended without an answer");
}

TEST_CASE("a slow reader sees a gap, every agent_done and the run_done",
          "[actors][events]") {
  event_log_options options;
  options.max_events_per_run = 3;
  event_world w{options};
  w.publish(started());
  CHECK(text(w.read(from(0))) == "1 run_started; next 2");
  for (const auto* id : {"x", "y"}) {
    for (int i = 0; i < 100; ++i)
      w.publish(line("so far"));
    w.publish(agent_done(id));
  }
  w.publish(line("last"));
  w.publish(run_done());
  CHECK(text(w.read(from(2)))
        == "[2,101]; 102 agent_done x-; [103,202]; 203 agent_done y; "
           "204 log last; 205 run_done; next 206, ended");
}

TEST_CASE("one slow reader costs another nothing", "[actors][events]") {
  event_log_options options;
  options.max_events_per_run = 2;
  event_world w{options};
  std::string seen;
  for (std::uint64_t i = 1; i <= 5; ++i) {
    auto waits = i == 1 ? nullptr : w.read(waiting(from(i)));
    w.publish(line(std::to_string(i)));
    seen += text(waits ? waits : w.read(from(i))) + ". ";
  }
  CHECK(seen
        == "1 log 1; next 2. 2 log 2; next 3. 3 log 3; next 4. "
           "4 log 4; next 5. 5 log 5; next 6. ");
  CHECK(text(w.read(from(1))) == "[1,3]; 4 log 4; 5 log 5; next 6");
}

TEST_CASE("an unknown run is not found", "[actors][events]") {
  event_world w;
  CHECK(text(w.read(from(1))) == "run_not_found: run not initialized: r");
  CHECK(text(w.read(waiting(from(1))))
        == "run_not_found: run not initialized: r");
  CHECK(w.say(verdict(wire::RUN_STATUS_FAILED))
        == "run_not_found: run not initialized: r");
}

TEST_CASE("what comes after the end of its run is refused",
          "[actors][events]") {
  event_world w;
  w.publish(started());
  w.publish(run_done());
  CHECK(w.publish(line("late"))
        == "state: run r has ended with its event 2; none can follow");
  CHECK(w.say(verdict(wire::RUN_STATUS_FAILED))
        == "state: run r has ended already");
  CHECK(text(w.read(from(1))) == "1 run_started; 2 run_done; next 3, ended");
}

TEST_CASE("what the event log refuses can be read in the log",
          "[actors][events]") {
  testing::log_reader log{spdlog::level::warn};
  event_world w;
  w.publish(run_done());
  w.publish(agent_done("x"));
  w.say(verdict(wire::RUN_STATUS_FAILED));
  CHECK(log.text()
        == "event_refused run=r type=agent_done error=state "
           "text=\"run r has ended with its event 1; none can follow\"\n"
           "event_refused run=r type=verdict error=state "
           "text=\"run r has ended already\"\n");
}

TEST_CASE("an event without a run or without a meaning opens no stream",
          "[actors][events]") {
  event_world w;
  wire::Event empty;
  empty.set_run_id("r");
  CHECK(w.publish(empty) == "invalid_argument: Event.kind: it is missing");
  CHECK(w.publish(line("a", ""))
        == "invalid_argument: Event.run_id: it is missing");
  CHECK(text(w.read(from(1))) == "run_not_found: run not initialized: r");
}

TEST_CASE("a run that completes is called by its verdict", "[actors][events]") {
  auto [own, called, expected] =
    GENERATE(table<wire::RunStatus, wire::RunStatus, wire::RunStatus>({
      {wire::RUN_STATUS_COMPLETED, wire::RUN_STATUS_FAILED,
       wire::RUN_STATUS_FAILED},
      {wire::RUN_STATUS_COMPLETED, wire::RUN_STATUS_PARTIAL,
       wire::RUN_STATUS_PARTIAL},
      {wire::RUN_STATUS_CANCELLED, wire::RUN_STATUS_COMPLETED,
       wire::RUN_STATUS_CANCELLED},
      {wire::RUN_STATUS_FAILED, wire::RUN_STATUS_COMPLETED,
       wire::RUN_STATUS_FAILED},
    }));
  event_world w;
  w.publish(started());
  CHECK(w.say(verdict(wire::RUN_STATUS_COMPLETED, "1")) == "done");
  CHECK(w.say(verdict(called, R"({"n":2})")) == "done"); // The newest counts.
  w.publish(run_done(own));
  const auto end = (**w.read(from(2)))->events(0).run_done();
  CHECK(end.status() == expected);
  CHECK(end.report_json() == R"({"n":2})");
}

TEST_CASE("a verdict without a report leaves the run its own",
          "[actors][events]") {
  event_world w;
  w.publish(started());
  w.say(verdict(wire::RUN_STATUS_FAILED));
  auto done = run_done();
  done.mutable_run_done()->set_report_json("\"own\"");
  w.publish(done);
  const auto end = (**w.read(from(2)))->events(0).run_done();
  CHECK(end.status() == wire::RUN_STATUS_FAILED);
  CHECK(end.report_json() == "\"own\"");
}

TEST_CASE("a verdict without a status is refused", "[actors][events]") {
  event_world w;
  w.publish(started());
  CHECK(w.say(verdict(wire::RUN_STATUS_UNSPECIFIED))
        == "invalid_argument: RunVerdict.status: it is missing");
}

TEST_CASE("the newest runs that have ended can be read, the oldest goes first",
          "[actors][events]") {
  event_log_options options;
  options.max_ended_runs = 2;
  event_world w{options};
  w.publish(started("live"));
  for (const auto* id : {"a", "b", "c"}) {
    w.publish(started(id));
    w.publish(run_done(wire::RUN_STATUS_COMPLETED, id));
  }
  std::string seen;
  for (const auto* id : {"live", "a", "b", "c"})
    seen += text(w.read(from(1, 1, id))) + ". ";
  CHECK(seen
        == "1 run_started; next 2. run_not_found: run not initialized: a. "
           "1 run_started; next 2. 1 run_started; next 2. ");
}

TEST_CASE("who waits hears of a run's end even if it is not kept",
          "[actors][events]") {
  event_log_options options;
  options.max_ended_runs = 0;
  event_world w{options};
  w.publish(started());
  auto waits = w.read(waiting(from(2)));
  w.publish(run_done());
  CHECK(text(waits) == "2 run_done; next 3, ended");
  CHECK(text(w.read(from(1))) == "run_not_found: run not initialized: r");
}

TEST_CASE("as many questions may wait for a run as its log has been told",
          "[actors][events]") {
  event_log_options options;
  options.max_waiting_per_run = 2;
  event_world w{options};
  w.publish(started());
  auto one = w.read(waiting(from(2)));
  auto two = w.read(waiting(from(2)));
  CHECK(text(w.read(waiting(from(2))))
        == "capacity: max_waiting_per_run 2 is reached for run r; ask again "
           "after its next event");
  CHECK(text(w.read(from(2))) == "next 2"); // Who does not wait is answered.
  w.publish(line("a"));
  CHECK(text(one) + text(two) == "2 log a; next 32 log a; next 3");
  CHECK(text(w.read(waiting(from(3)))) == "-");
}

TEST_CASE("a reader that dies leaves nothing behind that stays",
          "[actors][events]") {
  event_log_options options;
  options.max_waiting_per_run = 2;
  event_world w{options};
  w.publish(started());
  for (std::uint64_t i = 2; i < 20; ++i) {
    for (int dead = 0; dead < 2; ++dead) {
      CHECK(text(w.read(waiting(from(i)))) == "-");
      w.still.kill(w.last_asker);
    }
    CHECK(w.publish(line("a")) == "done"); // Makes room for two others.
  }
}

TEST_CASE("runs beyond the bound are refused until one ends",
          "[actors][events]") {
  event_log_options options;
  options.max_active_runs = 1;
  event_world w{options};
  w.publish(started("a"));
  CHECK(w.publish(started("b"))
        == "capacity: max_active_runs 1 is reached; a run has to end first");
  w.publish(run_done(wire::RUN_STATUS_COMPLETED, "a"));
  CHECK(w.publish(started("b")) == "done");
}

TEST_CASE("a publisher that asks for no answer lives on when it is refused",
          "[actors][events]") {
  struct teller {
    teller(caf::event_based_actor* selfptr, event_log_actor log,
           std::string& heard)
      : self(selfptr), whom(std::move(log)), said(heard) {}

    caf::behavior make_behavior() {
      return {[this](const wire::Event& event) {
        said += text(event) + ". ";
        mail(self, event).send(whom);
      }};
    }

    caf::event_based_actor* self;
    event_log_actor whom;
    std::string& said;
  };
  event_world w;
  std::string said;
  const auto publisher = spawn<teller>(w.still.system(), w.log, said);
  for (const auto& event : {run_done(), line("late"), line("later")}) {
    anon_mail(event).send(publisher);
    w.still.settle();
  }
  CHECK(said == "0 run_done. 0 log late. 0 log later. ");
  CHECK(text(w.read(from(1))) == "1 run_done; next 2, ended");
  w.still.kill(publisher);
}
