#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

// One entry of a plan becomes a task for each file.

using namespace turnstile;
using namespace turnstile::config;

namespace {

// Renders what makes the tasks of a plan differ.
std::string told(const result<plan>& made) {
  if (!made)
    return made.error().detail;
  std::string out;
  for (const auto& task : made->tasks) {
    out += task.name + " <";
    for (const auto& piece : task.prompt)
      out += piece.text;
    out += ">";
    for (const auto& need : task.needs)
      out += " needs " + need;
    out += '\n';
  }
  return out;
}

} // namespace

TEST_CASE("each makes a task for every file, in sorted order",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("src/b.cpp");
  folder.write("src/a/c d.cpp");
  folder.write("src/.hidden.cpp");
  const auto made = parse_plan(with_tasks(R"(
    {"name": "first", "prompt": ""},
    {"name": "count", "each": "src/**/*.cpp", "prompt": "{{path}} {{stem}}"},
    {"name": "last", "prompt": ""})"),
                               "plan.json", folder.path());
  CHECK(told(made)
        == "first <>\n"
           "count:src/a/c d.cpp <src/a/c d.cpp c d>\n"
           "count:src/b.cpp <src/b.cpp b>\n"
           "last <>\n");
  REQUIRE(made);
  CHECK(made->groups.at("first") == task_group{0, 1});
  CHECK(made->groups.at("count") == task_group{1, 2});
  CHECK(made->groups.at("last") == task_group{3, 1});
}

TEST_CASE("path and stem are put into all strings of a task",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("in/x.txt", "about {{stem}}");
  const auto made = parse_plan(
    R"({"backends": {"x": {"kind": "process", "command": ["x"]}},
        "tasks": [{"name": "t", "each": "in/*.txt", "prompt_file": "{{path}}",
          "backend": "{{stem}}", "workdir": "out/{{stem}}",
          "env": {"{{path}}": "{{path}}!"}, "model": "m {{stem}}",
          "role": "{{{{stem}} {{stem}}", "description": "reads {{path}}",
          "thread": "{{stem}}-1"}]})",
    "plan.json", folder.path());
  REQUIRE(made);
  const auto& task = made->tasks.front();
  CHECK(task.prompt == prompt{{prompt_piece::type::literal, "about x"}});
  CHECK(task.backend == "x");
  CHECK(task.workdir == folder.path().string() + "/out/x");
  CHECK(task.env == environment{{"{{path}}", "in/x.txt!"}});
  CHECK(task.model == "m x");
  CHECK(task.role == "{{stem}} x");
  CHECK(task.description == "reads in/x.txt");
  CHECK(task.thread == "x-1");
}

TEST_CASE("a file's name is never taken for a template", "[config][plan]") {
  const scratch_folder folder;
  folder.write("{{b.output}}");
  CHECK(told(parse_plan(
          with_tasks(R"({"name": "a", "each": "*", "prompt": "{{path}}"})"),
          "plan.json", folder.path()))
        == "a:{{b.output}} <{{b.output}}>\n");
}

TEST_CASE("a need of many tasks is a need of each of them", "[config][plan]") {
  const scratch_folder folder;
  folder.write("1.c");
  folder.write("2.c");
  CHECK(told(parse_plan(with_tasks(R"(
    {"name": "all", "prompt": "", "needs": ["build", "build:2.c"]},
    {"name": "build", "each": "*.c", "prompt": ""},
    {"name": "test", "each": "*.c", "prompt": "", "needs": ["build:{{path}}"]},
    {"name": "one", "prompt": "", "needs": ["test:1.c"]})"),
                        "plan.json", folder.path()))
        == "all <> needs build:1.c needs build:2.c\n"
           "build:1.c <>\n"
           "build:2.c <>\n"
           "test:1.c <> needs build:1.c\n"
           "test:2.c <> needs build:2.c\n"
           "one <> needs test:1.c\n");
}

TEST_CASE("an each that cannot be done is told with the reason",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("a.c");
  folder.write("bell\a.b");
  folder.write("latin\xe9.l");
  const auto [each, sentence] = GENERATE(table<std::string, std::string>({
    {"*.zig", "no file matches \"*.zig\""},
    {"lib/*.c", "cannot read the folder \"lib/\": No such file or directory"},
    {"[a", "\"[a\" has a \"[\" without \"]\""},
    {"", "expected a path, found \"\""},
    {"*.b", "the file name \"bell\\u0007.b\" cannot be a part of a task's "
            "name"},
    {"*.l", "the file name \"latin\\xE9.l\" cannot be a part of a task's "
            "name"},
  }));
  CAPTURE(each);
  CHECK(folder.complaints_of(
          with_tasks(R"({"name": "a", "each": ")" + each + R"(", "prompt": ""},
             {"name": "b", "prompt": "{{a.outputs}}", "needs": ["a"]})"))
        == "plan.json:3:23: tasks[0].each: " + sentence);
}

TEST_CASE("tasks of an each may not have the name of another",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("x");
  folder.write("y");
  CHECK(folder.complaints_of(with_tasks(R"({"name": "a:x", "prompt": ""},
{"name": "a", "each": "?", "prompt": ""})"))
        == "plan.json:4:10: tasks[1].name: the name \"a:x\" is taken by "
           "tasks[0]");
  CHECK(
    folder.complaints_of(with_tasks(R"({"name": "a", "each": "x", "prompt": ""},
{"name": "a:x", "each": "y", "prompt": ""})"))
    == "plan.json:3:10: tasks[0].name: the name \"a:x\" is taken by "
       "tasks[1]");
}

TEST_CASE("a mistake in an each is told once, not for every file",
          "[config][plan]") {
  const scratch_folder folder;
  for (const auto* name : {"1", "2", "3"})
    folder.write(name);
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "?", "prompt": "{{b.output}}",
              "backend": "ssh", "needs": ["c"]})"))
        == "plan.json:3:38: tasks[0].prompt: \"{{b.output}}\": no task is "
           "called \"b\"\n"
           "plan.json:4:26: tasks[0].backend: unknown backend \"ssh\"; did you "
           "mean \"sh\"?\n"
           "plan.json:4:43: tasks[0].needs[0]: no task is called \"c\"");
}

TEST_CASE("a few lines cannot ask for more than there may be",
          "[config][plan]") {
  const scratch_folder folder;
  for (int i = 0; i < 1'001; ++i)
    folder.write("f" + std::to_string(i));
  folder.write("long.txt", std::string(std::size_t{2} << 20, 'x'));

  std::string many = R"({"name": "g0", "each": "f*", "prompt": ""})";
  for (int i = 1; i < 100; ++i)
    many += R"(,{"name": "g)" + std::to_string(i)
            + R"(", "each": "f*", "prompt": ""})";
  CHECK(
    folder.complaints_of(with_tasks(many))
      .ends_with(
        "tasks[99]: more than 100000 tasks in all, with those of \"each\""));
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "f*", "prompt": ""},
{"name": "b", "each": "f*", "prompt": "", "needs": ["a"]})"))
        == "plan.json:4:53: tasks[1].needs[0]: more than 1000000 needs of all "
           "tasks together");
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "f*", "prompt_file": "long.txt"})"))
        == "plan.json:3:1: tasks[0]: more than 1GiB of text in all tasks "
           "together");

  std::string needs = R"("b")";
  for (int i = 0; i < 20'000; ++i)
    needs += R"(,"b")";
  CHECK(folder.complaints_of(
          with_tasks(R"({"name": "a", "each": "f*", "prompt": "", "needs": [)"
                     + needs + R"(]}, {"name": "b", "prompt": ""})"))
        == "plan.json:3:1: tasks[0]: more than 1GiB of text in all tasks "
           "together");
}

TEST_CASE("a long path in many templates is counted before it is written out",
          "[config][plan]") {
  const scratch_folder folder;
  const std::string segment(200, 'd');
  std::string path;
  for (int i = 0; i < 18; ++i)
    path += segment + '/';
  folder.write(path + "file");
  std::string prompt;
  for (int i = 0; i < 300'000; ++i)
    prompt += "{{path}}";
  CHECK(folder.complaints_of(with_tasks(
          R"({"name": "a", "each": "**/file", "prompt": ")" + prompt + "\"}"))
        == "plan.json:3:1: tasks[0]: more than 1GiB of text in all tasks "
           "together");
}

TEST_CASE("what is needed again and again is needed once", "[config][plan]") {
  const scratch_folder folder;
  for (int i = 0; i < 1'000; ++i)
    folder.write("f" + std::to_string(i));
  std::string needs = R"("f")";
  for (int i = 0; i < 200'000; ++i)
    needs += R"(,"f")";
  const auto made =
    parse_plan(with_tasks(R"({"name": "f", "each": "f*", "prompt": ""},)"
                          R"({"name": "z", "prompt": "", "needs": [)"
                          + needs + "]}"),
               "plan.json", folder.path());
  REQUIRE(made);
  CHECK(made->tasks.back().needs.size() == 1'000);
}
