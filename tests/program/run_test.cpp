#include "tests/program/program.hpp"

#include <nlohmann/json.hpp>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;
using json = nlohmann::ordered_json;

namespace {

/// How the tasks of a run's JSON ended: `a ok "x", b error null`.
std::string ends(const json& run) {
  std::string all;
  for (const auto& task : run["tasks"])
    all += (all.empty() ? "" : ", ") + task["name"].get<std::string>() + ' '
           + task["status"].get<std::string>() + ' ' + task["output"].dump();
  return all;
}

} // namespace

TEST_CASE("turnstile run prints one JSON object and nothing else on stdout",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "echo '{\"n\": 1}'"})")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 0);
  const auto run = json::parse(how.out);
  CHECK(run["status"] == "completed");
  CHECK(ends(run) == R"(a ok {"n":1})");
  CHECK(run["quota_used"] == 1);
  CHECK(run["report"]["completed_work"] == 1);
  CHECK(run["report"]["finished_requests"] == 1);
  CHECK(run["run"].get<std::string>().size() == 36);
  CHECK(run["run"].get<std::string>()[14] == '7');
  CHECK_THAT(how.err, ContainsSubstring("[1/1] a ok in "));
}

TEST_CASE("turnstile run prints a table, and what the last tasks said",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "hello",
                              "backend": "cat"})")};
  const auto how = f.run();
  CHECK(how.code == 0);
  CHECK_THAT(how.out, ContainsSubstring("\na:\nhello\n"));
  CHECK_THAT(how.out, ContainsSubstring(": completed in "));
  CHECK_THAT(how.out, !ContainsSubstring("[1/1]"));
}

TEST_CASE("turnstile run tells no progress if it shall be quiet", "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "exit 3"})")};
  const auto how = f.run({"--quiet", "--json"});
  CHECK(how.code == 1);
  CHECK(how.err.empty());
  CHECK(json::parse(how.out)["status"] == "failed");
}

TEST_CASE("turnstile run gives results in plan order, however they end",
          "[program]") {
  // The first task ends when the last has: it reads what that one writes.
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "cat news; echo a"},
    {"name": "b", "prompt": "exit 7"},
    {"name": "c", "prompt": "echo x >news; echo c"})",
                           R"("concurrency": 3,)")};
  REQUIRE(mkfifo((f.path() / "news").c_str(), 0600) == 0);
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  CHECK(ends(json::parse(how.out)) == R"(a ok "x\na", b error null, c ok "c")");
}

TEST_CASE("turnstile run passes outputs on to the tasks that need them",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "join", "backend": "cat", "prompt": "{{part.outputs}}",
     "needs": ["part"]},
    {"name": "part", "each": "*.txt", "prompt": "printf %s {{stem}}"})")};
  f.write("two.txt");
  f.write("one.txt");
  const auto how = f.run({"--json"});
  CHECK(how.code == 0);
  const auto run = json::parse(how.out);
  CHECK(run["tasks"][0]["output"].dump()
        == R"([{"name":"part:one.txt","status":"ok","output":"one"},)"
           R"({"name":"part:two.txt","status":"ok","output":"two"}])");
}

TEST_CASE("turnstile run says why a task failed, and skips what needs it",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "echo sorry >&2; exit 3"},
    {"name": "b", "prompt": "true", "needs": ["a"]},
    {"name": "c", "prompt": "echo {{a.output}}", "needs": ["a", "b"]})")};
  const auto how = f.run();
  CHECK(how.code == 1);
  CHECK_THAT(how.out, ContainsSubstring("a: error: backend error "
                                        "(non-retryable): execution error: "));
  CHECK_THAT(how.out, ContainsSubstring("sorry"));
  CHECK_THAT(
    how.out,
    ContainsSubstring("b: skipped: not run: it needs a, which ended error\n"));
  CHECK_THAT(how.out, ContainsSubstring(": failed in "));
}

TEST_CASE("turnstile run tries again what may yet succeed", "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt":
    "test \"$TURNSTILE_ATTEMPT\" = 3 || exit 75; echo $TURNSTILE_TASK"})")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 0);
  const auto task = json::parse(how.out)["tasks"][0];
  CHECK(task["attempts"] == 3);
  CHECK(task["retries"] == 2);
  CHECK_THAT(how.err, ContainsSubstring(", 3 attempts"));
}

TEST_CASE("turnstile run stops an attempt that takes too long", "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "exec sleep 600",
                              "attempt_timeout": "20ms"})")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  const auto task = json::parse(how.out)["tasks"][0];
  CHECK(task["status"] == "timed_out");
  CHECK(task["attempts"] == 3);
}

TEST_CASE("turnstile run stops an attempt that says nothing for too long",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "silent", "prompt": "echo up; exec sleep 600",
     "idle_timeout": "50ms"},
    {"name": "chatty", "prompt": "for i in 1 2 3 4; do sleep 0.5; echo; done",
     "idle_timeout": "1500ms"})",
                           R"("concurrency": 2,)")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  const auto tasks = json::parse(how.out)["tasks"];
  CHECK(tasks[0]["status"] == "timed_out");
  CHECK(tasks[0]["error"]["text"]
        == "backend error after 3 attempts: backend timed out: idle_timeout of "
           "50ms");
  CHECK(tasks[1]["status"] == "ok");
}

TEST_CASE("turnstile run has answers corrected that do not match",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "corrected", "backend": "ask", "prompt": "count",
     "output_schema": {"type": "object", "required": ["n"]}},
    {"name": "stubborn", "backend": "cat", "prompt": "text",
     "output_schema": {"type": "object"}})")};
  auto plan = json::parse(content_of(f.path() / "plan.json"));
  plan["backends"]["ask"] = {
    {"kind", "process"},
    {"command",
     {"sh", "-c",
      "if grep -q 'Required JSON Schema'; then echo '{\"n\": 3}'; else echo "
      "three; fi"}}};
  plan["retry"] = {{"schema_retry_max", 1}};
  f.write("plan.json", plan.dump());
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  const auto tasks = json::parse(how.out)["tasks"];
  CHECK(tasks[0]["output"] == json{{"n", 3}});
  CHECK(tasks[0]["schema_retries"] == 1);
  CHECK(tasks[1]["status"] == "error");
  CHECK(tasks[1]["error"]["code"] == "schema_validation");
  CHECK(tasks[1]["attempts"] == 2);
}

TEST_CASE("turnstile run ends what is due, and says whose deadline it was",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "own", "prompt": "exec sleep 600", "deadline": "20ms"},
    {"name": "runs", "prompt": "exec sleep 600"},
    {"name": "waits", "prompt": "touch ran", "needs": ["runs"]})",
                           R"("deadline": "200ms",)")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  const auto run = json::parse(how.out);
  CHECK(run["status"] == "failed");
  CHECK(run["tasks"][0]["status"] == "timed_out");
  CHECK(run["tasks"][0]["error"]["text"] == "the deadline of 20ms has passed");
  CHECK(run["tasks"][1]["error"]["text"]
        == "the run's deadline of 200ms has passed");
  CHECK(run["tasks"][1]["error"]["code"] == "deadline_exceeded");
  CHECK(run["tasks"][2]["status"] == "skipped");
}

TEST_CASE("turnstile run obeys the command line's concurrency", "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "echo 1"}, {"name": "b", "prompt": "echo 2"},
    {"name": "c", "prompt": "echo 3"}, {"name": "d", "prompt": "echo 4"})",
                           R"("concurrency": 4,)")};
  const auto run = json::parse(f.run({"--json", "--concurrency", "1"}).out);
  CHECK(ends(run) == "a ok 1, b ok 2, c ok 3, d ok 4");
  CHECK(run["report"]["peak_in_flight_work"] == 1);
}

TEST_CASE("turnstile run refuses what is beyond the plan's quota",
          "[program]") {
  auto [quota, used, code] = GENERATE(table<int, int, std::string>({
    {0, 0, "quota_exceeded"},
    {1, 1, "quota_exceeded"},
  }));
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "echo 1"},
                  {"name": "b", "prompt": "echo 2"})",
                           R"("quota": )" + std::to_string(quota) + ",")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  const auto run = json::parse(how.out);
  CHECK(run["quota_used"] == used);
  CHECK(run["tasks"][1]["error"]["code"] == code);
  CHECK(run["tasks"][1]["attempts"] == 0);
}

TEST_CASE("turnstile run survives whatever a child writes", "[program]") {
  auto [script, output] = GENERATE(table<std::string, std::string>({
    {"printf '\\377\\001x'", "\"\xEF\xBF\xBD\\u0001x\""},
    {"printf ''", "\"\""},
    {"head -c 200000 /dev/zero | tr '\\\\0' '['", ""},
  }));
  plan_folder f{
    shell_plan(R"({"name": "a", "prompt": )" + json(script).dump() + "}")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 0);
  const auto said = json::parse(how.out)["tasks"][0]["output"];
  CHECK(said.is_string());
  if (!output.empty())
    CHECK(said.dump() == output);
}

TEST_CASE("turnstile run does not claim success if nobody got the results",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "echo 1"})")};
  program turnstile{f.path(), plan_folder::words({"--quiet"}), "/dev/full"};
  const auto how = turnstile.wait();
  CHECK(how.code == 1);
  CHECK(how.err
        == "turnstile: cannot write the results: No space left on device\n");
}
