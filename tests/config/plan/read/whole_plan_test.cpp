#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

// What people get wrong in a plan beside backends and tasks, and the sentence
// they are told.

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("mistakes beside the tasks are told with place and way out",
          "[config][plan]") {
  const auto [keys, sentence] = GENERATE(table<std::string, std::string>({
    {R"("run": "")", "2:8: run: expected a name, found \"\""},
    {R"("run": "a\u0007")",
     "2:8: run: expected a name without control characters, found "
     "\"a\\u0007\""},
    {R"("run": 7)", "2:8: run: expected a name, found 7"},
    {R"("quota": -1)", "2:10: quota: expected a whole number from 0 to "
                       "18446744073709551615, found -1"},
    {R"("quota": 1.0)", "2:10: quota: expected a whole number from 0 to "
                        "18446744073709551615, found 1.0"},
    {R"("quota": 1e2)", "2:10: quota: expected a whole number from 0 to "
                        "18446744073709551615, found 1e2"},
    {R"("quota": 18446744073709551616)",
     "2:10: quota: expected a whole number from 0 to 18446744073709551615, "
     "found 18446744073709551616"},
    {R"("quota": "100")", "2:10: quota: expected a whole number from 0 to "
                          "18446744073709551615, found \"100\""},
    {R"("concurrency": 0)", "2:16: concurrency: expected a whole number from 1 "
                            "to 4294967295, found 0"},
    {R"("concurrency": 4294967296)",
     "2:16: concurrency: expected a whole number from 1 to 4294967295, found "
     "4294967296"},
    {R"("deadline": 30)", "2:13: deadline: expected a duration such as "
                          "\"30s\", found 30; write \"30s\""},
    {R"("deadline": "0s")",
     "2:13: deadline: expected a duration above zero, found \"0s\""},
    {R"("memo": 1)", "2:9: memo: expected true or false, found 1"},
    {R"("seed": null)", "2:9: seed: expected a whole number from 0 to "
                        "18446744073709551615, found null"},
    {R"("retry": [])", "2:10: retry: expected an object, found an empty array"},
    {R"("retry": {"max_retries": true})",
     "2:26: retry.max_retries: expected a whole number from 0 to 4294967295, "
     "found true"},
    {R"("retry": {"multiplier": 0.5})",
     "2:25: retry.multiplier: expected a number of at least 1, found 0.5"},
    {R"("retry": {"multiplier": "2"})",
     "2:25: retry.multiplier: expected a number of at least 1, found \"2\""},
    {R"("retry": {"initial_backoff": 1.5})",
     "2:30: retry.initial_backoff: expected a duration such as \"30s\", found "
     "1.5"},
    {R"("retry": {"max_backoff": "-1s"})",
     "2:26: retry.max_backoff: expected a duration such as \"30s\", found "
     "\"-1s\""},
    {R"("retry": {"jitter": "ful"})",
     "2:21: retry.jitter: expected \"full\" or \"none\", found \"ful\"; did "
     "you mean \"full\"?"},
    {R"("retry": {"jitter": false})",
     "2:21: retry.jitter: expected \"full\" or \"none\", found false"},
    {R"("retry": {"max_attempts": 3})",
     "2:11: retry.max_attempts: unknown key \"max_attempts\"; known keys are "
     "max_retries, initial_backoff, multiplier, max_backoff, jitter, "
     "schema_retry_max"},
    {R"("conurrency": 2)", "2:1: conurrency: unknown key \"conurrency\"; did "
                           "you mean \"concurrency\"?"},
    {R"("$schema": 7)", "2:12: $schema: expected a string, found 7"},
    {R"("priority": 2)",
     "2:1: priority: unknown key \"priority\"; known keys are run, quota, "
     "concurrency, deadline, retry, seed, memo, backends, tasks, $schema"},
  }));
  CAPTURE(keys);
  CHECK(complaints_of(with_keys(keys)) == "plan.json:" + sentence);
}

TEST_CASE("a plan is an object with backends and tasks", "[config][plan]") {
  const auto [text, sentence] = GENERATE(table<std::string, std::string>({
    {"[]", "plan.json:1:1: expected an object, found an empty array"},
    {"\"x\"", "plan.json:1:1: expected an object, found \"x\""},
    {"{}", "plan.json:1:1: missing key \"backends\"\n"
           "plan.json:1:1: missing key \"tasks\""},
    {"", "plan.json:1:1: nothing here: the file is empty"},
    {"{", "plan.json:1:2: not valid JSON: unexpected end of input; expected "
          "string literal"},
    {"{\"run\": \"\xff\"}",
     "plan.json:1:10: byte 9 of the file is not UTF-8: \"\\xFF\""},
  }));
  CHECK(complaints_of(text) == sentence);
  CHECK(parsed(text).error().code == errc::invalid_plan);
}

TEST_CASE("all that is wrong is told at once, in the order of the file",
          "[config][plan]") {
  CHECK(
    complaints_of(R"({
  "concurrency": 0,
  "backends": {"sh": {"kind": "process", "command": ["sh"]}},
  "tasks": [
    {"name": "a", "prompt": "", "needs": ["b"], "backend": "shh", "phase": -1},
    {"name": "b", "prompt": "{{c.output}}", "needs": ["a"], "weight": 5}
  ],
  "quota": "many"
})")
    == R"(plan.json:2:18: concurrency: expected a whole number from 1 to 4294967295, found 0
plan.json:5:43: tasks[0].needs[0]: the needs form a cycle: a -> b -> a
plan.json:5:60: tasks[0].backend: unknown backend "shh"; did you mean "sh"?
plan.json:5:76: tasks[0].phase: expected a whole number from 0 to 4294967295, found -1
plan.json:6:29: tasks[1].prompt: "{{c.output}}": no task is called "c"
plan.json:6:71: tasks[1].weight: not built yet: in this version all tasks weigh the same
plan.json:8:12: quota: expected a whole number from 0 to 18446744073709551615, found "many")");
}

TEST_CASE("a plan may not have too many tasks", "[config][plan]") {
  std::string tasks = R"({"name": "t", "prompt": ""})";
  for (int i = 0; i < 100'000; ++i)
    tasks += ",{}";
  CHECK(complaints_of(with_tasks(tasks))
        == "plan.json:2:10: tasks: more than 100000 tasks");
}

TEST_CASE("a plan in memory may not be larger than a file", "[config][plan]") {
  CHECK(complaints_of(std::string((std::size_t{64} << 20) + 1, ' '))
        == "plan.json: larger than 64MiB");
}
