#include "tests/program/program.hpp"

using namespace program_tests;
using json = nlohmann::json;

// Plans whose tasks may be answered by earlier runs.

namespace {

/// A plan of one task that counts how often it is run, in a file.
std::string counting_plan(const std::string& command, const std::string& more) {
  return R"({"run": "r", "memo": true, "backends": {"sh": {"kind": "process",
             "command": )"
         + command + R"(}}, "tasks": [{"name": "a",
             "prompt": "echo x >>calls; wc -l <calls")"
         + more + "}]}";
}

json first_task(const ending& how) {
  INFO(how.err);
  REQUIRE(how.code == 0);
  return json::parse(how.out)["tasks"][0];
}

} // namespace

TEST_CASE("turnstile answers a plan with a memo by what it did before",
          "[program]") {
  plan_folder f{counting_plan(R"(["sh", "-s"])", "")};
  const auto first = first_task(f.run({"--json"}));
  CHECK(first["output"] == 1);
  CHECK(first["remembered_of"] == nullptr);
  const auto again = first_task(f.run({"--json"}));
  CHECK(again["output"] == 1);
  CHECK(again["attempts"] == 0);
  CHECK(again["remembered_of"] == runs_in_journal(f.path()).back()["run"]);
  CHECK(content_of(f.path() / "calls") == "x\n");
}

TEST_CASE("turnstile runs a task again whose backend or prompt has changed",
          "[program]") {
  plan_folder f{counting_plan(R"(["sh", "-s"])", "")};
  REQUIRE(first_task(f.run({"--json"}))["output"] == 1);
  std::ofstream{f.path() / "plan.json"}
    << counting_plan(R"(["sh", "-e", "-s"])", "");
  CHECK(first_task(f.run({"--json"}))["output"] == 2);
  std::ofstream{f.path() / "plan.json"}
    << counting_plan(R"(["sh", "-e", "-s"])", R"(, "env": {"A": "b"})");
  CHECK(first_task(f.run({"--json"}))["output"] == 3);
  CHECK(first_task(f.run({"--json"}))["output"] == 3);
}
