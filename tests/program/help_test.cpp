#include "tests/program/program.hpp"

#include <sstream>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("turnstile explains its commands when asked", "[program]") {
  auto [words, usage] = GENERATE(table<std::vector<std::string>, std::string>({
    {std::vector<std::string>{"--help"}, "Usage: turnstile [FLAGS] [COMMAND]"},
    {std::vector<std::string>{"help"}, "Usage: turnstile [FLAGS] [COMMAND]"},
    {{"run", "--help"}, "Usage: turnstile run [FLAGS] PLAN"},
    {{"run", "none.json", "-h"}, "Usage: turnstile run [FLAGS] PLAN"},
    {{"help", "run"}, "Usage: turnstile run [FLAGS] PLAN"},
  }));
  plan_folder f{"{}"};
  const auto how = program{f.path(), words}.wait();
  CHECK(how.code == 0);
  CHECK_THAT(how.out, ContainsSubstring(usage));
  CHECK_THAT(how.out, ContainsSubstring("\n  5  interrupted;"));
  CHECK_THAT(how.out, ContainsSubstring("\nExample:\n  turnstile run plan"));
  CHECK(how.err.empty());
}

TEST_CASE("turnstile's help fits a terminal of 80 columns", "[program]") {
  plan_folder f{"{}"};
  const auto command = GENERATE("run", "resume", "list", "status", "report",
                                "events", "cancel", "journal");
  const auto how = program{f.path(), {command, "--help"}}.wait();
  CHECK(how.code == 0);
  std::istringstream lines{how.out};
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("turnstile tells its version", "[program]") {
  plan_folder f{"{}"};
  const auto how = program{f.path(), {"--version"}}.wait();
  CHECK(how.code == 0);
  CHECK(how.out == "turnstile " TURNSTILE_VERSION "\n");
  CHECK(how.err.empty());
}

TEST_CASE("turnstile does not claim to have explained what nobody got",
          "[program]") {
  plan_folder f{"{}"};
  const auto how = program{f.path(), {"--help"}, "/dev/full"}.wait();
  CHECK(how.code == 1);
  CHECK_THAT(how.err, ContainsSubstring("No space left on device"));
}
