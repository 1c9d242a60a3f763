#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

// What people get wrong in backends, and the sentence they are told.

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("mistakes in backends are told with place and way out",
          "[config][plan]") {
  const auto [backends, sentence] = GENERATE(table<std::string, std::string>({
    {"{}", "1:13: backends: expected an object of at least one backend, found "
           "an empty object"},
    {"[]", "1:13: backends: expected an object of at least one backend, found "
           "an empty array"},
    {"{\"b\": 1}", "1:19: backends.b: expected an object, found 1"},
    {R"({"b": {}})", "1:19: backends.b: missing key \"kind\""},
    {R"({"b": {"kind": "proces"}})",
     "1:28: backends.b.kind: expected \"process\" or \"scripted\", found "
     "\"proces\"; did you mean \"process\"?"},
    {R"({"b": {"kind": "process"}})",
     "1:19: backends.b: missing key \"command\""},
    {R"({"b": {"kind": "scripted"}})",
     "1:19: backends.b: missing key \"script\""},
    {R"({"b": {"kind": "process", "command": []}})",
     "1:50: backends.b.command: expected a program and its arguments, found an "
     "empty array"},
    {R"({"b": {"kind": "process", "command": [""]}})",
     "1:51: backends.b.command[0]: expected a program, found \"\""},
    {R"({"b": {"kind": "process", "command": ["a\u0000"]}})",
     "1:51: backends.b.command[0]: expected a string without NUL, found "
     "\"a\\u0000\""},
    {R"({"b": {"kind": "process", "command": ["a", 1]}})",
     "1:56: backends.b.command[1]: expected a string, found 1"},
    {R"({"b": {"kind": "process", "command": "wc -l"}})",
     "1:50: backends.b.command: expected an array of strings, found \"wc -l\""},
    {R"({"b": {"kind": "process", "command": ["a"], "max_output": "0B"}})",
     "1:71: backends.b.max_output: expected a size above zero, found \"0B\""},
    {R"({"b": {"kind": "process", "command": ["a"], "max_output": 4096}})",
     "1:71: backends.b.max_output: expected a size such as \"1MiB\", found "
     "4096"},
    {R"({"b": {"kind": "process", "command": ["a"], "concurrency": 0}})",
     "1:72: backends.b.concurrency: expected a whole number from 1 to "
     "4294967295, found 0"},
    {R"({"b": {"kind": "process", "command": ["a"], "env": {"A=B": ""}}})",
     "1:65: backends.b.env[\"A=B\"]: \"A=B\" cannot name a variable"},
    {R"({"b": {"kind": "process", "command": ["a"], "env": {"": ""}}})",
     "1:65: backends.b.env[\"\"]: \"\" cannot name a variable"},
    {R"({"b": {"kind": "process", "command": ["a"], "env": {"A": 1}}})",
     "1:70: backends.b.env.A: expected a string, found 1"},
    {R"({"b": {"kind": "process", "command": ["a"],
         "env": {"TURNSTILE_TASK": "x"}}})",
     "2:18: backends.b.env.TURNSTILE_TASK: \"TURNSTILE_TASK\" is set by "
     "turnstile itself"},
    {R"({"b": {"kind": "process", "command": ["a"], "script": [{"ok": 1}]}})",
     "1:57: backends.b.script: \"script\" is for a scripted backend"},
    {R"({"b": {"kind": "scripted", "script": [{"ok": 1}], "command": ["a"]}})",
     "1:63: backends.b.command: \"command\" is for a process backend"},
    {R"({"b": {"kind": "scripted", "script": []}})",
     "1:50: backends.b.script: expected at least one step, found an empty "
     "array"},
    {R"({"b": {"kind": "scripted", "script": {"ok": 1}}})",
     "1:50: backends.b.script: expected an array of steps, found an object"},
    {R"({"b": {"kind": "scripted", "script": [{}]}})",
     "1:51: backends.b.script[0]: expected exactly one of \"ok\", \"fail\" and "
     "\"hang\""},
    {R"({"b": {"kind": "scripted", "script": [{"ok": 1, "hang": true}]}})",
     "1:51: backends.b.script[0]: expected exactly one of \"ok\", \"fail\" and "
     "\"hang\""},
    {R"({"b": {"kind": "scripted", "script": [{"fail": "spwn"}]}})",
     "1:60: backends.b.script[0].fail: expected \"spawn\", \"timeout\", "
     "\"protocol\", \"connection\", \"cancelled\", \"config\", \"io\", "
     "\"parse\", \"execution\" or \"other\", found \"spwn\"; did you mean "
     "\"spawn\"?"},
    {R"({"b": {"kind": "scripted", "script": [{"hang": false}]}})",
     "1:60: backends.b.script[0].hang: expected true, found false"},
    {R"({"b": {"kind": "scripted",
         "script": [{"hang": true, "delay": "1s"}]}})",
     "2:36: backends.b.script[0].delay: \"delay\" means nothing beside "
     "\"hang\""},
    {R"({"a": {"kind": "process", "command": ["a"], "default": true},
         "b": {"kind": "process", "command": ["b"], "default": true}})",
     "2:10: backends.b: only one backend can be the default, and \"a\" is it "
     "already"},
    {R"({"": {"kind": "process", "command": ["a"]}})",
     "1:14: backends[\"\"]: expected a name, found \"\""},
    {R"({"a\n": {"kind": "process", "command": ["a"]}})",
     "1:14: backends[\"a\\n\"]: expected a name without control characters, "
     "found \"a\\n\""},
    {R"({"b": {"kind": "process", "command": ["a"], "cmd": []}})",
     "1:57: backends.b.cmd: unknown key \"cmd\"; known keys are kind, default, "
     "concurrency, command, max_output, env, script"},
  }));
  CAPTURE(backends);
  CHECK(complaints_of("{\"backends\":" + backends
                      + ",\n\"tasks\": [{\"name\": \"a\", \"prompt\": \"\"}]}")
        == "plan.json:" + sentence);
}
