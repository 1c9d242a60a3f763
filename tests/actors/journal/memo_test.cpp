#include "tests/actors/journal/journal_world.hpp"

// Answers that other runs in the same journal have had.

using namespace journal_tests;

namespace {

wire::RunTerms run(int number, bool memo = true) {
  auto terms = process::terms(0);
  terms.set_run_id("0197f0a2-7f00-7000-8000-00000000000"
                   + std::to_string(number));
  terms.set_memo(memo);
  return terms;
}

/// What a process is told that asks the same in a run of its own, and how often
/// it has asked its backend.
std::string answers(const scratch_folder& folder, const wire::RunTerms& terms,
                    std::vector<backend_step> steps,
                    const std::vector<wire::AgentTask>& tasks) {
  process p{open_file(folder.file()), std::move(steps), terms, false};
  std::vector<pending<wire::TaskRecord>> all;
  for (const auto& one : tasks)
    all.push_back(p.submit(one));
  p.still.advance(1s);
  std::string said;
  for (const auto& one : all)
    said += text_of_task(one) + "; ";
  return said + std::to_string(p.calls->order().size()) + " calls";
}

wire::AgentTask asks_for(const std::string& prompt, const std::string& id) {
  auto made = task(id);
  made.set_prompt(prompt);
  made.set_name("the question"); // which a child is told
  return made;
}

} // namespace

TEST_CASE("a run that wants a memo is answered what an earlier run was",
          "[actors][journal]") {
  scratch_folder folder;
  const std::vector both{asks_for("x", "a"), asks_for("y", "b")};
  CHECK(answers(folder, run(1), {ok("1"), ok("2")}, both)
        == "1 after 1; 2 after 1; 2 calls");
  process p{open_file(folder.file()), {ok("3")}, run(2), false};
  const auto same = p.submit(asks_for("y", "c"));
  p.still.advance(1s);
  REQUIRE(text_of_task(same) == "2 after 0");
  CHECK((**same)->remembered_of() == run(1).run_id());
  CHECK((**same)->result().agent_id() == "c");
  CHECK(p.calls->order().empty());
}

TEST_CASE("nothing is remembered for a run that does not ask for it",
          "[actors][journal]") {
  scratch_folder folder;
  const std::vector one{asks_for("x", "a")};
  CHECK(answers(folder, run(1, false), {ok("1")}, one) == "1 after 1; 1 calls");
  CHECK(answers(folder, run(2), {ok("2")}, one) == "2 after 1; 1 calls");
  CHECK(answers(folder, run(3, false), {ok("3")}, one) == "3 after 1; 1 calls");
  CHECK(answers(folder, run(4), {ok("4")}, one) == "2 after 0; 0 calls");
}

TEST_CASE("only successes are remembered", "[actors][journal]") {
  scratch_folder folder;
  const std::vector one{asks_for("x", "a")};
  CHECK(answers(folder, run(1), {fails(backend_error_kind::execution)}, one)
        == "non_retryable: backend error (non-retryable): execution error: "
           "mock execution after 1; 1 calls");
  CHECK(answers(folder, run(2), {ok("2")}, one) == "2 after 1; 1 calls");
}

TEST_CASE("equal tasks of a run get answers of their own, and again the same",
          "[actors][journal]") {
  scratch_folder folder;
  const std::vector three{asks_for("x", "a"), asks_for("x", "b"),
                          asks_for("x", "c")};
  CHECK(answers(folder, run(1), {ok("1"), ok("2"), ok("3")}, three)
        == "1 after 1; 2 after 1; 3 after 1; 3 calls");
  CHECK(answers(folder, run(2), {ok("4")}, three)
        == "1 after 0; 2 after 0; 3 after 0; 0 calls");
}

TEST_CASE("an answer from a memo uses none of the run's quota",
          "[actors][journal]") {
  scratch_folder folder;
  CHECK(answers(folder, run(1), {ok("1")}, {asks_for("x", "a")})
        == "1 after 1; 1 calls");
  auto narrow = run(2);
  narrow.set_quota(1);
  CHECK(answers(folder, narrow, {ok("2")},
                {asks_for("x", "a"), asks_for("y", "b"), asks_for("z", "c")})
        == "1 after 0; 2 after 1; quota_exceeded: quota exceeded: limit=1, "
           "used=1; 1 "
           "calls");
}

TEST_CASE("an answer from a memo survives its process, before and after it is "
          "told",
          "[actors][journal]") {
  scratch_folder folder;
  answers(folder, run(1), {ok("1")}, {asks_for("x", "a")});
  answers(folder, run(2), {ok("2")}, {asks_for("x", "b")});
  process again{open_file(folder.file()), {ok("3")}, run(2), true};
  const auto known = again.submit(asks_for("x", "b"));
  again.still.advance(1s);
  CHECK(text_of_task(known) == "1 after 0");
  CHECK(again.calls->order().empty());
}

TEST_CASE("a task with an answer that was cancelled before it got it uses no "
          "quota in the next process, either",
          "[actors][journal]") {
  scratch_folder folder;
  answers(folder, run(1), {ok("1")}, {asks_for("x", "a")});
  auto narrow = run(2);
  narrow.set_quota(4);
  const std::vector new_ones{asks_for("b", "b"), asks_for("c", "c"),
                             asks_for("d", "d"), asks_for("e", "e")};
  {
    process p{open_file(folder.file()), {hangs()}, narrow, false};
    for (const auto& one : new_ones) // they have all slots
      p.submit(one);
    const auto known = p.submit(asks_for("x", "r"));
    wire::CancelAgent which;
    which.set_agent_id("r");
    anon_mail(which).send(p.run);
    p.still.advance(1s);
    CHECK(text_of_task(known) == "agent_cancelled: agent cancelled after 0");
  }
  process again{open_file(folder.file()), {ok("2")}, narrow, true};
  const auto known = again.submit(asks_for("x", "r"));
  const auto lost = again.submit(new_ones[0]);
  again.still.advance(10s);
  CHECK(text_of_task(known) == "agent_cancelled: agent cancelled after 0");
  CHECK(text_of_task(lost)
        == "exhausted: backend error after 1 attempts: spawn failed: the "
           "process that ran it is gone after 1");
}

TEST_CASE("what is forgotten is remembered for nobody", "[actors][journal]") {
  scratch_folder folder;
  {
    process p{open_file(folder.file()), {ok("1")}, run(1), false};
    p.submit(asks_for("x", "a"));
    p.still.advance(1s);
    auto end = new_pending<wire::RunEnded>();
    spawn_asker<wire::RunEnded>(p.still.system(),
                                asks(p.run, wire::FinishRun{}), noting(end));
    p.still.advance(1s);
    REQUIRE(end->has_value());
  }
  REQUIRE(open_file(folder.file())->retain({0, {}}));
  CHECK(answers(folder, run(2), {ok("2")}, {asks_for("x", "a")})
        == "2 after 1; 1 calls");
}

TEST_CASE("a run that is finished behind its tasks knows them first, memo or "
          "not",
          "[actors][journal]") {
  auto tell = [](bool memo) {
    scratch_folder folder;
    process p{open_file(folder.file()), {ok("1", 1s)}, run(1, memo), false};
    auto end = new_pending<wire::RunEnded>();
    auto answer = new_pending<wire::TaskRecord>();
    // Both are in the run's mailbox before it looks at either.
    spawn_asker<wire::TaskRecord>(
      p.still.system(), asks(p.run, asks_for("x", "a")), noting(answer));
    spawn_asker<wire::RunEnded>(p.still.system(),
                                asks(p.run, wire::FinishRun{}), noting(end));
    p.still.advance(10s);
    return text_of_task(answer) + ", "
           + text_of(end, [](const wire::RunEnded& it) {
               return wire::RunStatus_Name(it.status());
             });
  };
  CHECK(tell(true) == tell(false));
}
