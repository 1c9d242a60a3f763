#include "tests/program/program.hpp"

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;
using json = nlohmann::json;

namespace {

/// A line, read by the rules that actors/log/log_line.hpp promises.
struct line {
  std::string level;
  std::string event;
  std::vector<std::string> keys;
};

line read_line(const std::string& text) {
  static const std::regex whole{
    R"re((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d) (\w+) (\w+)((?: \w+=(?:[\w\-.:/+%@,]+|"(?:[^"\\]|\\.)*"))*))re"};
  static const std::regex pair{
    R"re( (\w+)=([\w\-.:/+%@,]+|"(?:[^"\\]|\\.)*"))re"};
  INFO(text);
  std::smatch found;
  REQUIRE(std::regex_match(text, found, whole));
  line read{found[2], found[3], {}};
  const auto pairs = found[4].str();
  for (std::sregex_iterator at{pairs.begin(), pairs.end(), pair}, end;
       at != end; ++at) {
    read.keys.push_back((*at)[1]);
    if (const auto value = (*at)[2].str(); value.starts_with('"'))
      CHECK(json::parse(value).is_string());
  }
  return read;
}

std::vector<line> read_lines(const std::string& text) {
  std::vector<line> all;
  std::istringstream lines{text};
  for (std::string one; std::getline(lines, one);)
    all.push_back(read_line(one));
  return all;
}

/// A task that is retried and one that cannot be, whose error has many lines.
const std::string retried = R"({
  "retry": {"initial_backoff": "1ms"},
  "backends": {
    "once": {"kind": "scripted", "script": [{"fail": "spawn"}, {"ok": 1}]},
    "sh": {"kind": "process", "command": ["sh", "-s"]}},
  "tasks": [
    {"name": "again and \"again\"", "prompt": "", "model": "m", "phase": 2},
    {"name": "b", "prompt": "printf '1\\n2=3 4\\n' >&2; exit 3",
     "backend": "sh"}]})";

} // namespace

TEST_CASE("turnstile's log can be read line by line, and has every task's path",
          "[program]") {
  plan_folder f{retried};
  CHECK(f.run({"--log-level", "trace", "--log-file", "log"}).code == 1);
  std::multiset<std::string> events;
  for (const auto& one : read_lines(content_of(f.path() / "log"))) {
    events.insert(one.event);
    INFO(one.event);
    REQUIRE_FALSE(one.keys.empty());
    CHECK(one.keys[0] == "run");
    if (one.event.starts_with("run_"))
      continue;
    REQUIRE(one.keys.size() >= 5);
    CHECK(
      std::vector(one.keys.begin(), one.keys.begin() + 5)
      == std::vector<std::string>{"run", "task", "phase", "model", "attempt"});
  }
  CHECK(events
        == std::multiset<std::string>{
          "attempt_ended", "attempt_ended", "attempt_ended", "attempt_retried",
          "attempt_started", "attempt_started", "attempt_started", "run_ended",
          "run_started", "task_accepted", "task_accepted", "task_ended",
          "task_ended"});
}

TEST_CASE("turnstile appends to its log", "[program]") {
  plan_folder f{retried};
  f.write("log", "kept\n");
  REQUIRE(f.run({"--log-level", "info", "--log-file", "log"}).code == 1);
  REQUIRE(f.run({"--log-level", "info", "--log-file", "log"}).code == 1);
  const auto log = content_of(f.path() / "log");
  CHECK_THAT(log, Catch::Matchers::StartsWith("kept\n"));
  const auto first = log.find(" run_ended ");
  REQUIRE(first != log.npos);
  CHECK(log.find(" run_ended ", first + 1) != log.npos);
}

TEST_CASE("turnstile logs on standard error, and nothing unless asked",
          "[program]") {
  plan_folder f{retried};
  const auto how = f.run({"--log-level", "info", "--json", "--quiet"});
  CHECK(json::parse(how.out)["status"] == "failed");
  CHECK(read_lines(how.err).size() == 4);
  const auto level = GENERATE("warn", "off");
  CHECK(f.run({"--log-level", level, "--quiet"}).err.empty());
  CHECK(f.run({"--quiet"}).err.empty());
}

TEST_CASE("turnstile runs on when its log is full, and says so once",
          "[program]") {
  plan_folder f{retried};
  const auto how =
    f.run({"--log-level", "info", "--log-file", "/dev/full", "--quiet"});
  CHECK(how.code == 1);
  CHECK(how.err
        == "turnstile: cannot write the log: No space left on device\n");
}
