#include "tests/program/program.hpp"

#include <nlohmann/json.hpp>
#include <sys/ptrace.h>

using namespace program_tests;
using json = nlohmann::json;

namespace {

/// A plan whose first task says through the news pipe that it runs this, and
/// whose second waits for a slot.
std::string busy(const std::string& script) {
  return shell_plan(R"({"name": "busy", "prompt": )"
                    + json("exec 9>news; " + script).dump() + R"(},
    {"name": "next", "prompt": "touch ran"},
    {"name": "needs", "prompt": "touch ran", "needs": ["busy"]})");
}

constexpr auto sleeps = "echo up >&9; exec sleep 600";

/// Waits without another process, which could miss a signal while it starts,
/// and does this when it is asked to end.
std::string waits(const std::string& when_asked) {
  return "mkfifo hold; exec 8<>hold; trap '" + when_asked
         + "' TERM; echo up >&9; while :; do read never <&8; done";
}

const auto ignores = waits("echo term >&9");

std::string ends(const ending& how) {
  std::string all;
  const auto run = json::parse(how.out);
  for (const auto& task : run["tasks"])
    all += task["name"].get<std::string>() + ' '
           + task["status"].get<std::string>() + ". ";
  return all;
}

constexpr auto all_left = "busy waiting. next waiting. needs waiting. ";

} // namespace

TEST_CASE("turnstile that is interrupted ends its children and says what is "
          "left",
          "[program]") {
  const auto number = GENERATE(SIGINT, SIGTERM);
  plan_folder f{busy(sleeps)};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({"--json"})};
  CHECK(news.line() == "up");
  turnstile.signal(number);
  const auto how = turnstile.wait();
  CHECK(how.code == 5);
  CHECK(ends(how) == all_left);
  CHECK(news.rest().empty());
  CHECK_FALSE(std::filesystem::exists(f.path() / "ran"));
}

TEST_CASE("turnstile that is interrupted kills who does not obey in the grace",
          "[program]") {
  plan_folder f{busy(ignores)};
  news_pipe news{f.path()};
  program turnstile{f.path(),
                    plan_folder::words({"--json", "--grace", "50ms"})};
  CHECK(news.line() == "up");
  turnstile.signal(SIGINT);
  const auto how = turnstile.wait();
  CHECK(how.code == 5);
  CHECK(ends(how) == all_left);
  CHECK(news.rest() == "term\n");
}

TEST_CASE("turnstile that is interrupted lets a child end well in the grace",
          "[program]") {
  plan_folder f{busy(waits("echo bye >&9; exit 0"))};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({"--json", "--grace", "1h"})};
  CHECK(news.line() == "up");
  turnstile.signal(SIGTERM);
  CHECK(turnstile.wait().code == 5);
  CHECK(news.rest() == "bye\n");
}

TEST_CASE("turnstile that is interrupted twice does not wait for the grace",
          "[program]") {
  plan_folder f{busy(ignores)};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({"--json", "--grace", "1h"})};
  CHECK(news.line() == "up");
  turnstile.signal(SIGINT);
  CHECK(news.line() == "term");
  turnstile.signal(SIGINT);
  const auto how = turnstile.wait();
  CHECK(how.code == 5);
  CHECK(ends(how) == all_left);
  CHECK(news.rest().empty());
}

// Its end is told to whoever traces it, and to nobody else until that one has
// heard: for its parent, such a process lives on whatever is done to it.
TEST_CASE("turnstile that is interrupted ends although a child does not",
          "[program]") {
  plan_folder f{busy("echo $$ >&9; exec sleep 600")};
  news_pipe news{f.path()};
  program turnstile{f.path(),
                    plan_folder::words({"--json", "--grace", "10ms"})};
  const auto child = static_cast<pid_t>(std::stol(news.line()));
  if (ptrace(PTRACE_SEIZE, child, nullptr, nullptr) != 0) {
    WARN("not checked: this needs the right to trace a process");
    return;
  }
  turnstile.signal(SIGINT);
  const auto how = turnstile.wait();
  CHECK(how.code == 5);
  CHECK(ends(how).starts_with("busy waiting. next waiting."));
  CHECK_THAT(how.err, Catch::Matchers::ContainsSubstring(
                        "turnstile: a child cannot be ended; nobody waits for "
                        "it any longer\n"));
  CHECK(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("turnstile that began with INT ignored goes on ignoring it",
          "[program]") {
  plan_folder f{busy(waits("echo bye >&9; exit 0"))};
  news_pipe news{f.path()};
  auto turnstile = program::shell(
    f.path(), "trap '' INT; exec \"$turnstile\" run plan.json --json");
  CHECK(news.line() == "up");
  turnstile.signal(SIGINT);
  turnstile.signal(SIGTERM);
  CHECK(turnstile.wait().code == 5);
  CHECK(news.rest() == "bye\n"); // Two interrupts would not let it say so.
}

TEST_CASE("turnstile that is killed takes its children with it", "[program]") {
  plan_folder f{busy(sleeps)};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({})};
  CHECK(news.line() == "up");
  turnstile.signal(SIGKILL);
  CHECK(turnstile.wait().code == -SIGKILL);
  CHECK(news.rest().empty());
}

TEST_CASE("turnstile that is the first process of a container obeys TERM",
          "[program]") {
  auto [prompt, grace] = GENERATE(table<std::string, std::string>({
    {"kill -TERM 1; exec sleep 600", "1h"},
    {"trap '' TERM; kill -TERM 1; sleep 600 & wait; wait", "10ms"},
    {"setsid sleep 600 & kill -TERM 1; exec sleep 600", "1h"},
  }));
  plan_folder f{busy("echo up >&9; " + prompt)};
  news_pipe news{f.path()};
  const auto how =
    program::shell(f.path(),
                   "unshare --fork --pid --mount-proc true || exit 77;"
                   "exec unshare --fork --pid --mount-proc "
                   "\"$turnstile\" run plan.json --json --grace "
                     + grace)
      .wait();
  if (how.code == 77) {
    WARN("not checked: this needs the right to make a PID namespace");
    return;
  }
  CHECK(how.code == 5);
  CHECK(ends(how) == all_left);
  CHECK(news.rest() == "up\n");
}

TEST_CASE("turnstile that is interrupted before it has read its plan runs "
          "nothing",
          "[program]") {
  plan_folder f{"{}"};
  REQUIRE(mkfifo((f.path() / "pipe").c_str(), 0600) == 0);
  program turnstile{f.path(), {"run", "pipe"}};
  // It opens the pipe to read its plan: then it is there, and waits.
  const int plan = open((f.path() / "pipe").c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(plan >= 0);
  turnstile.signal(SIGTERM);
  CHECK(turnstile.wait().code == 5);
  close(plan);
}
