#include "tests/actors/journal/journal_world.hpp"

using namespace journal_tests;

TEST_CASE("a task that succeeded is not run again by who resumes its run",
          "[actors][journal]") {
  scratch_folder folder;
  {
    process first{folder, {ok("1", 10ms), hangs()}};
    auto done = first.submit("a");
    first.submit("b");
    first.still.advance(1s);
    CHECK(text_of_task(done) == "1 after 1");
  }
  process second{folder, {ok("2", 10ms)}, true};
  auto done = second.submit("a");
  auto cut_off = second.submit("b");
  second.still.advance(10s);
  CHECK(text_of_task(done) == "1 after 1");
  CHECK(text_of_task(cut_off) == "2 after 2");
  CHECK(second.calls->order().size() == 1);
}

TEST_CASE("a task keeps its count of attempts over the ends of processes",
          "[actors][journal]") {
  scratch_folder folder;
  const auto fails_once = fails(backend_error_kind::spawn, 10ms);
  {
    process first{folder, {fails_once, hangs()}};
    first.submit("a");
    first.still.advance(10s);
    CHECK(first.calls->order().size() == 2); // and the second hangs
  }
  {
    process second{folder, {hangs()}, true};
    second.submit("a");
    second.still.advance(10s);
    CHECK(second.calls->order().size() == 1);
  }
  process third{folder, {ok("1")}, true};
  auto answer = third.submit("a");
  third.still.advance(10s);
  CHECK_THAT(text_of_task(answer), Catch::Matchers::StartsWith("exhausted: ")
                                     && Catch::Matchers::EndsWith("after 3"));
  CHECK(third.calls->order().size() == 0);
}

TEST_CASE("a run that was cancelled stays so, whoever wants to resume it",
          "[actors][journal]") {
  scratch_folder folder;
  {
    process first{folder, {hangs()}};
    auto task_end = first.submit("a");
    auto end = new_pending<wire::RunEnded>();
    spawn_asker<wire::RunEnded>(
      first.still.system(), asks(first.run, wire::CancelRun{}), noting(end));
    first.still.advance(1s);
    CHECK(text_of_task(task_end) == "run_cancelled: run cancelled after 1");
  }
  process second{folder, {ok("1")}, true};
  auto answer = second.submit("a");
  second.still.advance(1s);
  CHECK_THAT(text_of_task(answer),
             Catch::Matchers::StartsWith("state: request ")
               && Catch::Matchers::EndsWith("has ended: cancelled"));
  CHECK(second.calls->order().size() == 0);
}

TEST_CASE("a suspended scheduler counts no attempt that it has stopped",
          "[actors][journal]") {
  scratch_folder folder;
  {
    process first{folder, {hangs()}, false, 0};
    first.submit("a");
    auto suspended = new_pending<void>();
    spawn_asker<void>(first.still.system(),
                      asks(first.scheduler, suspend_atom_v), noting(suspended));
    first.still.advance(1s);
    CHECK(text_of(suspended, [] { return ""; }) == "done");
    CHECK_THAT(text_of_task(first.submit("b")),
               Catch::Matchers::StartsWith("capacity: "));
  }
  process second{folder, {ok("1")}, true, 0};
  auto answer = second.submit("a");
  second.still.advance(1s);
  CHECK(text_of_task(answer) == "1 after 1");
}

TEST_CASE("a scheduler without anything to keep is suspended at once",
          "[actors][journal]") {
  scratch_folder folder;
  process only{folder, {ok("1")}};
  only.submit("a");
  only.still.advance(1min); // all is kept
  auto suspended = new_pending<void>();
  spawn_asker<void>(only.still.system(), asks(only.scheduler, suspend_atom_v),
                    noting(suspended));
  only.still.advance(1s);
  CHECK(text_of(suspended, [] { return ""; }) == "done");
}

TEST_CASE("the events of a run go on in its journal where they were",
          "[actors][journal]") {
  scratch_folder folder;
  auto words = [](process& in) {
    wire::EventsQuery query;
    query.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
    auto batch = new_pending<wire::EventBatch>();
    spawn_asker<wire::EventBatch>(in.still.system(),
                                  asks(in.link.journal, query), noting(batch));
    in.settle();
    std::string all;
    for (const auto& event : (**batch)->events())
      all +=
        std::to_string(event.number()) + ' '
        + (event.has_agent_done() ? "done " + event.agent_done().output_json()
                                      + " of " + event.agent_done().prompt()
           : event.has_agent_started() ? "started"
                                       : "other")
        + ". ";
    return all;
  };
  {
    process first{folder, {ok("1", 10ms), hangs()}};
    first.submit("a");
    first.submit("b");
    first.still.advance(1s);
    CHECK(words(first) == "1 other. 2 started. 3 started. 4 done 1 of do a. ");
  }
  process second{folder, {ok("2", 10ms)}, true};
  second.still.advance(10s);
  CHECK(words(second)
        == "1 other. 2 started. 3 started. 4 done 1 of do a. "
           "5 done 2 of do b. ");
}
