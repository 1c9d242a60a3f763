#include "tests/program/program.hpp"

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;
using json = nlohmann::json;

// What `turnstile explain` says of a task, while its run goes on and later.

namespace {

json explained(const plan_folder& f, const std::string& run,
               const std::string& task) {
  const auto how = program{f.path(), {"explain", run, task, "--json"}}.wait();
  INFO(how.err);
  REQUIRE(how.code == 0);
  return json::parse(how.out);
}

std::string cause_of(const json& why) {
  std::string text = why["cause"];
  if (!why["limit"].is_null())
    text.append(" ")
      .append(why["limit"]["name"])
      .append(" ")
      .append(why["limit"]["value"]);
  for (const auto& holder : why["holders"])
    text.append(" ").append(holder["task"]);
  return text;
}

} // namespace

TEST_CASE("turnstile explain says what tasks wait for, and why they ended so",
          "[program]") {
  plan_folder f{shell_plan(
    R"({"name": "busy", "prompt": "exec 9>news; echo on >&9; cat go"},
       {"name": "queued", "prompt": "echo fine"},
       {"name": "needs", "prompt": "", "needs": ["busy"]},
       {"name": "fails", "prompt": "exit 3"},
       {"name": "skipped", "prompt": "", "needs": ["fails"]})")};
  news_pipe news{f.path()};
  REQUIRE(mkfifo((f.path() / "go").c_str(), 0600) == 0);
  program running{f.path(), {"run", "plan.json", "--quiet"}};
  REQUIRE(news.line() == "on");
  const auto run = only_run_in_journal(f.path());
  CHECK(cause_of(explained(f, run, "busy")) == "executing");
  CHECK(cause_of(explained(f, run, "queued"))
        == "request_slots concurrency 1 busy");
  CHECK(cause_of(explained(f, run, "needs")) == "needs busy");
  const auto human = program{f.path(), {"explain", run, "queued"}}.wait();
  CHECK_THAT(human.out, ContainsSubstring("queued of run " + run));
  CHECK_THAT(human.out, ContainsSubstring("held by busy ("));

  program{f.path(), {"cancel", run, "needs"}}.wait();
  std::ofstream{f.path() / "go"} << "gone\n";
  CHECK(running.wait().code == 1);
  CHECK(cause_of(explained(f, run, "busy")) == "ok");
  CHECK(cause_of(explained(f, run, "needs")) == "agent_cancelled");
  CHECK(cause_of(explained(f, run, "fails")) == "non_retryable");
  CHECK(cause_of(explained(f, run, "skipped")) == "need_failed fails");
}

TEST_CASE("turnstile explain knows the limits that ended tasks have met",
          "[program]") {
  plan_folder f{R"({"run": "r", "quota": 3, "concurrency": 9,
    "retry": {"max_retries": 1, "initial_backoff": "0s", "schema_retry_max": 0},
    "backends": {"flaky": {"kind": "scripted", "script": [{"fail": "spawn"}]},
                 "stuck": {"kind": "scripted", "script": [{"hang": true}]},
                 "wrong": {"kind": "scripted", "script": [{"ok": 1}]}},
    "tasks": [
      {"name": "flaky", "prompt": "", "backend": "flaky"},
      {"name": "late", "prompt": "", "backend": "stuck", "deadline": "10ms"},
      {"name": "wrong", "prompt": "", "backend": "wrong",
       "output_schema": {"type": "string"}},
      {"name": "many", "prompt": "", "backend": "wrong"}]})"};
  CHECK(f.run({"--quiet"}).code == 1);
  const auto run = only_run_in_journal(f.path());
  CHECK(cause_of(explained(f, run, "flaky")) == "exhausted max_retries 1");
  CHECK(cause_of(explained(f, run, "late"))
        == "deadline_exceeded deadline 10ms");
  CHECK(cause_of(explained(f, run, "wrong"))
        == "schema_validation schema_retry_max 0");
  CHECK(cause_of(explained(f, run, "many")) == "quota_exceeded quota 3");
}

TEST_CASE("turnstile explain knows that nobody runs what was interrupted",
          "[program]") {
  plan_folder f{shell_plan(
    R"({"name": "busy", "prompt": "exec 9>news; echo on >&9; cat go"})")};
  news_pipe news{f.path()};
  REQUIRE(mkfifo((f.path() / "go").c_str(), 0600) == 0);
  program running{f.path(), {"run", "plan.json", "--quiet"}};
  REQUIRE(news.line() == "on");
  running.signal(SIGINT);
  CHECK(running.wait().code == 5);
  const auto run = only_run_in_journal(f.path());
  const auto why = explained(f, run, "busy");
  CHECK(cause_of(why) == "not_running");
  CHECK(why["frees"] == "turnstile resume " + run);
}

TEST_CASE("turnstile explain refuses what it does not know", "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "echo hello"})")};
  REQUIRE(f.run({"--quiet"}).code == 0);
  const auto run = only_run_in_journal(f.path());
  const auto no_task = program{f.path(), {"explain", run, "b"}}.wait();
  CHECK(no_task.code == 2);
  CHECK(no_task.err
        == "turnstile: run " + run + " has no task b; turnstile report " + run
             + " names those it has\n");
  const auto no_word = program{f.path(), {"explain", run}}.wait();
  CHECK(no_word.code == 2);
  CHECK_THAT(no_word.err, ContainsSubstring("TASK is required"));
}
