#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

// Who needs whom, and who may speak of whose output.

using namespace turnstile;
using namespace turnstile::config;

TEST_CASE("needs that cannot be met are told", "[config][plan]") {
  const auto [tasks, sentence] = GENERATE(table<std::string, std::string>({
    {R"({"name": "first", "prompt": "", "needs": ["secnd"]},
{"name": "second", "prompt": ""})",
     "3:43: tasks[0].needs[0]: no task is called \"secnd\"; did you mean "
     "\"second\"?"},
    {R"({"name": "a", "prompt": "", "needs": ["a"]})",
     "3:39: tasks[0].needs[0]: the needs form a cycle: a -> a"},
    {R"({"name": "a", "prompt": "", "needs": ["b"]},
{"name": "b", "prompt": "", "needs": ["c"]},
{"name": "c", "prompt": "", "needs": ["a"]},
{"name": "d", "prompt": "", "needs": ["e"]},
{"name": "e", "prompt": "", "needs": ["d"]})",
     "3:39: tasks[0].needs[0]: the needs form a cycle: a -> b -> c -> a\n"
     "plan.json:6:39: tasks[3].needs[0]: the needs form a cycle: d -> e -> d"},
  }));
  CHECK(complaints_of(with_tasks(tasks)) == "plan.json:" + sentence);
}

TEST_CASE("a long cycle is told with its beginning and length",
          "[config][plan]") {
  std::string tasks = R"({"name": "t0", "prompt": "", "needs": ["t99"]})";
  for (int i = 1; i < 100; ++i)
    tasks += R"(,{"name": "t)" + std::to_string(i)
             + R"(", "prompt": "", "needs": ["t)" + std::to_string(i - 1)
             + R"("]})";
  CHECK(complaints_of(with_tasks(tasks))
        == "plan.json:3:40: tasks[0].needs[0]: the needs form a cycle: t0 -> "
           "t99 -> t98 -> t97 -> t96 -> t95 -> t94 -> t93 -> t92 -> t91 -> t90 "
           "-> t89 -> 88 more -> t0");
}

TEST_CASE("cycles between the tasks of an each are told with their paths",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("x");
  folder.write("y");
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "?", "prompt": "", "needs": ["b:{{path}}"]},
{"name": "b", "each": "?", "prompt": "", "needs": ["a:x"]})"))
        == "plan.json:3:52: tasks[0].needs[0]: the needs form a cycle: a:x -> "
           "b:x -> a:x");
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "?", "prompt": "", "needs": ["a"]})"))
        == "plan.json:3:52: tasks[0].needs[0]: the needs form a cycle: a -> a");
}

TEST_CASE("a prompt may speak of what its task needs", "[config][plan]") {
  const scratch_folder folder;
  folder.write("x");
  using type = prompt_piece::type;
  const auto [needs, text, pieces] =
    GENERATE(table<std::string, std::string, prompt>({
      {R"("one")", "{{one.output}}", {{type::output, "one"}}},
      {R"("one")", "{{one.outputs}}", {{type::outputs, "one"}}},
      {R"("many")", "{{many.outputs}}", {{type::outputs, "many"}}},
      {R"("many")", "{{many:x.output}}", {{type::output, "many:x"}}},
      {R"("many:x")", "{{many:x.output}}", {{type::output, "many:x"}}},
      {R"("one", "v1.2")",
       "{{v1.2.output}}, {{one.output}}",
       {{type::output, "v1.2"}, {type::literal, ", "}, {type::output, "one"}}},
    }));
  CAPTURE(text);
  const auto made =
    parse_plan(with_tasks(R"({"name": "one", "prompt": ""},
                  {"name": "v1.2", "prompt": ""},
                  {"name": "many", "each": "?", "prompt": ""},
                  {"name": "end", "prompt": ")"
                          + text + R"(", "needs": [)" + needs + "]}"),
               "plan.json", folder.path());
  REQUIRE(made);
  CHECK(made->tasks.back().prompt == pieces);
}

TEST_CASE("a prompt that speaks of something else is refused",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("x");
  const auto [needs, text, sentence] =
    GENERATE(table<std::string, std::string, std::string>({
      {R"("one")", "{{two.output}}",
       "\"{{two.output}}\" speaks of a task that is not in \"needs\"; add "
       "\"two\" there"},
      {R"("one")", "{{many.outputs}}",
       "\"{{many.outputs}}\" speaks of a task that is not in \"needs\"; add "
       "\"many\" there"},
      {R"("one")", "{{on.output}}",
       "\"{{on.output}}\": no task is called \"on\"; did you mean \"one\"?"},
      {R"("many")", "{{many.output}}",
       "\"{{many.output}}\": \"many\" stands for many tasks; write "
       "\"{{many.outputs}}\""},
      {R"("many")", "{{many:x.outputs}}",
       "\"{{many:x.outputs}}\": \"many:x\" is one of many tasks; write "
       "\"{{many:x.output}}\""},
    }));
  CHECK(folder.complaints_of(with_tasks(R"({"name": "end", "prompt": ")" + text
                                        + R"(", "needs": [)" + needs + R"(]},
{"name": "one", "prompt": ""}, {"name": "two", "prompt": ""},
{"name": "many", "each": "?", "prompt": ""})"))
        == "plan.json:3:27: tasks[0].prompt: " + sentence);
}
