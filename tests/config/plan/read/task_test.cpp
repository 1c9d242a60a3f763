#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

// What people get wrong in tasks, and the sentence they are told.

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("mistakes in tasks are told with place and way out",
          "[config][plan]") {
  const auto [task, sentence] = GENERATE(table<std::string, std::string>({
    {"7", "3:1: tasks[0]: expected an object, found 7"},
    {R"({"prompt": ""})", "3:1: tasks[0]: missing key \"name\""},
    {R"({"name": "a"})",
     "3:1: tasks[0]: missing key \"prompt\" or \"prompt_file\""},
    {R"({"name": "a", "prompt": "", "prompt_file": "x"})",
     "3:29: tasks[0].prompt_file: \"prompt_file\" stands instead of "
     "\"prompt\", not beside it"},
    {R"({"name": "", "prompt": ""})",
     "3:10: tasks[0].name: expected a name, found \"\""},
    {R"({"name": "a\nb", "prompt": ""})",
     "3:10: tasks[0].name: expected a name without control characters, found "
     "\"a\\nb\""},
    {R"({"name": "{{path}}", "prompt": ""})",
     "3:10: tasks[0].name: expected a name without \"{{\" and \"}}\", found "
     "\"{{path}}\""},
    {R"({"name": "a", "prompt": ["x"]})",
     "3:25: tasks[0].prompt: expected a string, found an array"},
    {R"({"name": "a", "prompt_file": ""})",
     "3:30: tasks[0].prompt_file: expected a path, found \"\""},
    {R"({"name": "a", "promt": ""})",
     "3:1: tasks[0]: missing key \"prompt\" or \"prompt_file\"\n"
     "plan.json:3:15: tasks[0].promt: unknown key \"promt\"; did you mean "
     "\"prompt\"?"},
    {R"({"name": "a", "prompt": "", "attempt_timeout": 30})",
     "3:48: tasks[0].attempt_timeout: expected a duration such as \"30s\", "
     "found 30; write \"30s\""},
    {R"({"name": "a", "prompt": "", "attempt_timeout": "30"})",
     "3:48: tasks[0].attempt_timeout: expected a duration such as \"30s\", "
     "found \"30\"; write \"30s\""},
    {R"({"name": "a", "prompt": "", "attempt_timeout": "0ms"})",
     "3:48: tasks[0].attempt_timeout: expected a duration above zero, found "
     "\"0ms\""},
    {R"({"name": "a", "prompt": "", "phase": -1})",
     "3:38: tasks[0].phase: expected a whole number from 0 to 4294967295, "
     "found -1"},
    {R"({"name": "a", "prompt": "", "weight": 0})",
     "3:39: tasks[0].weight: expected a whole number from 1 to 4294967295, "
     "found 0"},
    {R"({"name": "a", "prompt": "", "tenant": ""})",
     "3:39: tasks[0].tenant: expected a name, found \"\""},
    {R"({"name": "a", "prompt": "", "workdir": ""})",
     "3:40: tasks[0].workdir: expected a path, found \"\""},
    {R"({"name": "a", "prompt": "", "workdir": "a\u0000b"})",
     "3:40: tasks[0].workdir: expected a string without NUL, found "
     "\"a\\u0000b\""},
    {R"({"name": "a", "prompt": "", "env": []})",
     "3:36: tasks[0].env: expected an object, found an empty array"},
    {R"({"name": "a", "prompt": "", "env": {"TURNSTILE_RUN": ""}})",
     "3:37: tasks[0].env.TURNSTILE_RUN: \"TURNSTILE_RUN\" is set by turnstile "
     "itself"},
    {R"({"name": "a", "prompt": "", "env": {"A": "\u0000"}})",
     "3:42: tasks[0].env.A: expected a string without NUL, found \"\\u0000\""},
    {R"({"name": "a", "prompt": "", "env": {"A": "{{path}}"}})",
     "3:42: tasks[0].env.A: \"{{path}}\" means nothing in a task without "
     "\"each\""},
    {R"({"name": "a", "prompt": "", "role": "{{b.output}}"})",
     "3:37: tasks[0].role: outputs of other tasks can only stand in a prompt"},
    {R"({"name": "a", "prompt": "{{1}}"})",
     "3:25: tasks[0].prompt: unknown template \"{{1}}\"; write \"{{{{\" for a "
     "literal \"{{\""},
    {R"({"name": "a", "prompt": "", "output_schema": "object"})",
     "3:46: tasks[0].output_schema: expected a JSON Schema, which is an "
     "object, found \"object\""},
    {R"({"name": "a", "prompt": "", "backend": "hs"})",
     "3:40: tasks[0].backend: unknown backend \"hs\"; did you mean \"sh\"?"},
    {R"({"name": "a", "prompt": "", "backend": "claude"})",
     "3:40: tasks[0].backend: unknown backend \"claude\""},
    {R"({"name": "a", "prompt": "", "needs": "b"})",
     "3:38: tasks[0].needs: expected an array of strings, found \"b\""},
    {R"({"name": "a", "prompt": "", "needs": [1]})",
     "3:39: tasks[0].needs[0]: expected a name, found 1"},
    {R"({"name": "a", "prompt": "", "allowlist": {"deny": [1]}})",
     "3:52: tasks[0].allowlist.deny[0]: expected a string, found 1"},
    {R"({"name": "a", "prompt": "", "allowlist": {"accept_edits": "yes"}})",
     "3:59: tasks[0].allowlist.accept_edits: expected true or false, found "
     "\"yes\""},
    {R"({"name": "a", "prompt": "", "mcp": {"name": "t"}})",
     "3:36: tasks[0].mcp: missing key \"url\""},
    {R"({"name": "a", "prompt": ""}, {"name": "a", "prompt": ""})",
     "3:39: tasks[1].name: the name \"a\" is taken by tasks[0]"},
    {R"({"name": "a", "prompt": "x", "prompt": "y"})",
     "3:30: tasks[0].prompt: the key \"prompt\" appears twice; the first is at "
     "3:15"},
    {"", "2:10: tasks: expected at least one task, found an empty array"},
  }));
  CAPTURE(task);
  CHECK(complaints_of(with_tasks(task)) == "plan.json:" + sentence);
}
