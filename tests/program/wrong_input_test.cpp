#include "tests/program/program.hpp"

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;

// What people get wrong, and the sentence they are told: with exit code 2,
// nothing run and nothing on standard output.

namespace {

void check_refused(const ending& how, const std::string& sentence) {
  CHECK(how.code == 2);
  CHECK(how.out.empty());
  CHECK_THAT(how.err, ContainsSubstring(sentence));
}

} // namespace

TEST_CASE("turnstile refuses a wrong plan and says where and why",
          "[program]") {
  auto [plan, sentence] = GENERATE(table<std::string, std::string>({
    {"{}", "plan.json:1:1: "},
    {"{\"tasks\": [", "plan.json:1:12: "},
    {"\xFF{}", "plan.json:1:1: "},
    {shell_plan(R"({"name": "a", "promt": "true"})"),
     "did you mean \"prompt\"?"},
    {shell_plan(R"({"name": "a", "promt": "true"})"), "plan.json:5:27: "},
    {shell_plan("", "\"quotas\": 1,"), "plan.json:1:2: "},
    {shell_plan("", "\"quotas\": 1,"), "did you mean \"quota\"?"},
    {shell_plan(R"({"name": "a", "prompt": ""}, {"name": "a", "prompt": ""})"),
     "\"a\""},
    {shell_plan(R"({"name": "a", "prompt": "", "needs": ["b"]},
                   {"name": "b", "prompt": "", "needs": ["a"]})"),
     "cycle"},
    {shell_plan(R"({"name": "a", "prompt": "", "needs": ["b"]})"), "\"b\""},
    {shell_plan(R"({"name": "a", "prompt": "", "backend": "ca"})"),
     "did you mean \"cat\"?"},
    {shell_plan("", "\"concurrency\": 0,"),
     "concurrency: expected a whole number from 1"},
    {shell_plan("", "\"quota\": -1,"), "quota: expected a whole number"},
    {shell_plan(""), "tasks: expected at least one task"},
    {shell_plan(R"({"name": "a", "prompt": "",
                    "output_schema": {"properties": {"n": {"type": 1}}}})"),
     "tasks[0].output_schema: schema is not a valid JSON Schema: at "
     "/properties/n/type: "},
    {shell_plan(R"({"name": "a", "prompt": "", "tenant": "other"})"),
     "not built yet"},
    {shell_plan(R"({"name": "a", "prompt_file": "none.txt"})"), "none.txt"},
  }));
  INFO(plan);
  check_refused(plan_folder{plan}.run({"--json"}), sentence);
}

TEST_CASE("turnstile runs nothing of a plan that is wrong in one place",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "touch ran"},
                              {"name": "b", "prompt": "", "wait": 1})")};
  check_refused(f.run(), "\"wait\"");
  CHECK_FALSE(std::filesystem::exists(f.path() / "ran"));
}

TEST_CASE("turnstile refuses a wrong command line", "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "touch ran"})")};
  auto [words, sentence] =
    GENERATE(table<std::vector<std::string>, std::string>({
      {std::vector<std::string>{}, "a command is missing"},
      {std::vector<std::string>{"walk"}, "unknown command \"walk\"\n"},
      {std::vector<std::string>{"rum"}, "\"rum\"; did you mean \"run\"?"},
      {std::vector<std::string>{"help", "rum"}, "did you mean \"run\"?"},
      {std::vector<std::string>{"--jsn"}, "unknown flag \"--jsn\""},
      {std::vector<std::string>{"run"}, "PLAN is required"},
      {{"run", "plan.json", "more"}, "unexpected \"more\""},
      {{"run", "other.json"}, "other.json: "},
      {{"run", "."}, "turnstile: "},
      {{"run", "plan.json", "--jason"},
       "unknown flag \"--jason\"; did you mean \"--json\"?\n"
       "turnstile run --help tells what is expected\n"},
      {{"run", "plan.json", "--concurrency", "0"}, "--concurrency"},
      {{"run", "plan.json", "--concurrency", "many"}, "--concurrency"},
      {{"run", "plan.json", "--grace", "5"}, "--grace: "},
      {{"run", "plan.json", "--grace", "-1s"}, "--grace: "},
      {{"run", "plan.json", "--grace"}, "--grace: 1 required DURATION"},
      {{"run", "plan.json", "--log-level", "loud"}, "--log-level: "},
      {{"run", "plan.json", "--log-file", "no/log"},
       "--log-file: no/log: No such file or directory\n"},
      {{"run", "plan.json", "--log-file", "."}, "--log-file: .: Is a dir"},
    }));
  check_refused(program{f.path(), words}.wait(), sentence);
  CHECK_FALSE(std::filesystem::exists(f.path() / "ran"));
}
