#include "config/plan/load.hpp"

#include "tests/catch.hpp"
#include "tests/config/plan/plans.hpp"

#include <unistd.h>

using namespace turnstile;
using namespace turnstile::config;
using namespace std::chrono_literals;

TEST_CASE("a plan that says only what it must gets the defaults",
          "[config][plan]") {
  const auto made = parsed(with_tasks(R"({"name": "a", "prompt": "hello"})"));
  REQUIRE(made);
  CHECK(made->run == "plan");
  CHECK(made->quota == 1000);
  CHECK(made->concurrency == 1);
  CHECK(made->deadline == std::nullopt);
  CHECK(made->retry
        == retry_settings{2, 500ms, 2.0, 10s, jitter_mode::full, 3});
  CHECK(made->seed == std::nullopt);
  CHECK_FALSE(made->memo);

  backend_settings sh;
  sh.name = "sh";
  sh.is_default = true;
  sh.command = {"sh"};
  sh.max_output = 1'048'576;
  CHECK(made->backends == std::vector{sh});

  task_settings a;
  a.name = "a";
  a.prompt = {{prompt_piece::type::literal, "hello"}};
  a.weight = 1;
  a.tenant = "default";
  a.workdir = "/plans";
  CHECK(made->tasks == std::vector{a});
  CHECK(made->groups.at("a") == task_group{0, 1});
}

TEST_CASE("a plan is read with all that this version can do",
          "[config][plan]") {
  const auto made = parsed(R"({
    "run": "all", "quota": 0, "concurrency": 8, "seed": 18446744073709551615,
    "memo": true,
    "retry": {"max_retries": 0, "initial_backoff": "0s", "multiplier": 1,
              "max_backoff": "1m", "jitter": "none"},
    "backends": {
      "p": {"kind": "process", "command": ["sh", "-c", ""],
            "max_output": "64KiB", "env": {"LANG": "C", "EMPTY": ""}},
      "s": {"kind": "scripted", "default": true, "script": [
        {"ok": {"b": [1.50, null], "a": "\u00e9"}, "delay": "20ms"},
        {"fail": "protocol", "delay": "1s"}, {"fail": "other"},
        {"ok": null}, {"hang": true}]}
    },
    "tasks": [
      {"name": "z", "prompt": "", "backend": "p", "phase": 4294967295,
       "attempt_timeout": "30s", "workdir": "../desk/./top/",
       "env": {"A": "1"}, "model": "m", "role": "r", "description": "d",
       "thread": "t", "needs": ["y", "y"], "weight": 1, "tenant": "default"},
      {"name": "y", "prompt": "{{{{x}}"}
    ]})");
  REQUIRE(made);
  CHECK(made->run == "all");
  CHECK(made->quota == 0);
  CHECK(made->memo);
  CHECK(made->concurrency == 8);
  CHECK(made->seed == 18446744073709551615u);
  CHECK(made->retry == retry_settings{0, 0s, 1.0, 1min, jitter_mode::none, 3});

  REQUIRE(made->backends.size() == 2);
  const auto& process = made->backends[0];
  CHECK(process.name == "p");
  CHECK(process.is == backend_settings::type::process);
  CHECK_FALSE(process.is_default);
  CHECK(process.command == std::vector<std::string>{"sh", "-c", ""});
  CHECK(process.max_output == 65'536);
  CHECK(process.env == environment{{"EMPTY", ""}, {"LANG", "C"}});
  const auto& scripted = made->backends[1];
  CHECK(scripted.is == backend_settings::type::scripted);
  CHECK(scripted.is_default);
  using step = script_step::type;
  using kind = backend_error_kind;
  CHECK(scripted.script
        == std::vector<script_step>{
          {step::ok, R"({"b":[1.50,null],"a":"\u00e9"})", kind::spawn, 20ms},
          {step::fail, "", kind::protocol, 1s},
          {step::fail, "", kind::other, 0s},
          {step::ok, "null", kind::spawn, 0s},
          {step::hang, "", kind::spawn, 0s}});

  REQUIRE(made->tasks.size() == 2);
  const auto& task = made->tasks[0];
  CHECK(task.prompt.empty());
  CHECK(task.backend == "p");
  CHECK(task.phase == 4294967295u);
  CHECK(task.attempt_timeout == 30s);
  CHECK(task.workdir == "/desk/top");
  CHECK(task.env == environment{{"A", "1"}});
  CHECK(task.model == "m");
  CHECK(task.role == "r");
  CHECK(task.description == "d");
  CHECK(task.thread == "t");
  CHECK(task.needs == std::vector<std::string>{"y"});
  CHECK(made->tasks[1].prompt
        == prompt{{prompt_piece::type::literal, "{{x}}"}});
}

TEST_CASE("a run is called as its file if nothing else is said",
          "[config][plan]") {
  const auto [file, run] = GENERATE(table<std::string, std::string>({
    {"plan.json", "plan"},
    {"/a/b/nightly.v2.json", "nightly.v2"},
    {"x", "x"},
    {"", "plan"},
    {"a\nb.json", "plan"},
    {"\xff.json", "plan"},
  }));
  const auto made =
    parse_plan(with_tasks(R"({"name": "a", "prompt": ""})"), file, "/plans");
  REQUIRE(made);
  CHECK(made->run == run);
}

TEST_CASE("a plan is loaded from its file, and paths begin in its folder",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("texts/hello.txt", "hello \xe2\x82\xac\n");
  const auto file = folder.write(
    "nightly.json",
    "\xef\xbb\xbf" // Tolerated.
      + with_tasks(R"({"name": "a", "prompt_file": "texts/hello.txt"},
                      {"name": "b", "prompt": "", "workdir": "texts"},
                      {"name": "c", "prompt": "", "workdir": "/tmp/"})"));
  const auto made = load_plan(file);
  REQUIRE(made);
  CHECK(made->run == "nightly");
  CHECK(made->tasks[0].prompt
        == prompt{{prompt_piece::type::literal, "hello \xe2\x82\xac\n"}});
  CHECK(made->tasks[0].workdir == folder.path().string());
  CHECK(made->tasks[1].workdir == folder.path().string() + "/texts");
  CHECK(made->tasks[2].workdir == "/tmp");
}

TEST_CASE("a plan in a relative folder has absolute working directories",
          "[config][plan]") {
  const auto made =
    parse_plan(with_tasks(R"({"name": "a", "prompt": ""})"), "plan.json", "");
  REQUIRE(made);
  CHECK(made->tasks[0].workdir == std::filesystem::current_path().string());
}

TEST_CASE("a file that cannot be read is refused with the reason",
          "[config][plan]") {
  const scratch_folder folder;
  const auto name = folder.path().string();
  const auto refusal = [](const std::filesystem::path& file) {
    const auto made = load_plan(file);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == errc::invalid_plan);
    return made.error().detail;
  };
  CHECK(refusal(folder.path() / "no.json")
        == name + "/no.json: cannot read: No such file or directory");
  CHECK(refusal(folder.path()) == name + ": cannot read: Is a directory");
  CHECK(refusal(folder.write("file") / "plan.json")
        == name + "/file/plan.json: cannot read: Not a directory");
  CHECK(refusal(folder.write("empty.json"))
        == name + "/empty.json:1:1: nothing here: the file is empty");
  const auto large = folder.write("large.json", "{}");
  std::filesystem::resize_file(large, (64u << 20) + 1);
  CHECK(refusal(large) == name + "/large.json: larger than 64MiB");
  if (::geteuid() == 0)
    return; // Who may read everything.
  const auto secret = folder.write("secret.json", "{}");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  CHECK(refusal(secret)
        == name + "/secret.json: cannot read: Permission denied");
}

TEST_CASE("a prompt file that is no prompt is refused with its own place",
          "[config][plan]") {
  const scratch_folder folder;
  folder.write("bad.txt", "fine\nnot {{fine}}\n");
  folder.write("latin.txt", "caf\xe9");
  const auto [file, sentence] = GENERATE(table<std::string, std::string>({
    {"no.txt", "\"no.txt\": cannot read: No such file or directory"},
    {".", "\".\": cannot read: Is a directory"},
    {"bad.txt", "bad.txt:2:5: unknown template \"{{fine}}\"; write \"{{{{\" "
                "for a literal \"{{\""},
    {"latin.txt", "latin.txt:1:4: byte 3 is not UTF-8"},
  }));
  CHECK(folder.complaints_of(
          with_tasks(R"({"name": "a", "prompt_file": ")" + file + R"("})"))
        == "plan.json:3:30: tasks[0].prompt_file: " + sentence);
}

TEST_CASE("the plans that come with the house can be loaded",
          "[config][plan]") {
  const auto flaky = load_plan("examples/plans/flaky.json");
  REQUIRE(flaky);
  CHECK(flaky->tasks.size() == 3);
  const auto survey = load_plan("examples/plans/survey.json");
  REQUIRE(survey);
  CHECK(survey->tasks.size() > 100);
  CHECK(survey->tasks.back().name == "ranking");
  CHECK(survey->tasks.back().needs.size() + 1 == survey->tasks.size());
}
