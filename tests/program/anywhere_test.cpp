#include "tests/program/program.hpp"

#include <nlohmann/json.hpp>

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;
using json = nlohmann::json;

// Places in which a program finds less than it is used to.

namespace {

const auto hello = shell_plan(R"({"name": "a", "prompt": "echo hello"})");

} // namespace

TEST_CASE("turnstile survives a reader that goes away, and says so",
          "[program]") {
  // The task ends when the reader has closed the pipe.
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "cat gone; echo x"})")};
  REQUIRE(mkfifo((f.path() / "gone").c_str(), 0600) == 0);
  const auto how =
    program::shell(f.path(), R"("$turnstile" run plan.json --quiet |
                               { exec <&-; echo >gone; }
                             echo "${PIPESTATUS[0]}")")
      .wait();
  CHECK(how.out == "1\n");
  CHECK(how.err == "turnstile: cannot write the results: Broken pipe\n");
}

TEST_CASE("turnstile's children still die when their reader goes away",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a",
                              "prompt": "kill -PIPE $$; echo survived"})",
                           R"("seed": 1,)")};
  const auto how = f.run({"--json"});
  CHECK(how.code == 1);
  CHECK_THAT(how.out, !ContainsSubstring("survived"));
}

TEST_CASE("turnstile runs with standard streams that are closed", "[program]") {
  auto [closed, code] = GENERATE(table<std::string, int>({
    {"<&-", 0},
    {"2>&-", 0},
    {"<&- 2>&-", 0},
    {">&-", 1}, // nobody got the results
    {"<&- >&-", 1},
    {"<&- >&- 2>&-", 1},
  }));
  INFO(closed);
  plan_folder f{hello};
  const auto how = program::shell(f.path(), "exec \"$turnstile\" run plan.json "
                                            "--log-level info --log-file log "
                                              + closed)
                     .wait();
  CHECK(how.code == code);
  CHECK(how.out.empty() == (code == 1));
  if (code == 1 && closed.find("2>") == closed.npos)
    CHECK_THAT(how.err, ContainsSubstring("write the results: Bad file"));
  // What was meant for a closed stream went nowhere else.
  const auto log = content_of(f.path() / "log");
  CHECK_THAT(log, ContainsSubstring(" run_ended "));
  CHECK_THAT(log, !ContainsSubstring("hello"));
  CHECK_THAT(log, !ContainsSubstring("[1/1]"));
}

TEST_CASE("turnstile runs without HOME, and without any environment",
          "[program]") {
  const auto environment = GENERATE("-u HOME", "-i PATH=\"$PATH\"", "-i");
  INFO(environment);
  plan_folder f{hello};
  const auto how =
    program::shell(f.path(), "exec env " + std::string{environment}
                               + " \"$turnstile\" run plan.json "
                                 "--json")
      .wait();
  CHECK(how.code == 0);
  CHECK(json::parse(how.out)["tasks"][0]["output"] == "hello");
}

TEST_CASE("turnstile writes nothing but its journal into its folder",
          "[program]") {
  const auto flag = GENERATE("", "--no-journal");
  plan_folder f{hello};
  const auto how = *flag == '\0' ? f.run() : f.run({flag});
  CHECK(how.code == 0);
  CHECK(std::filesystem::exists(f.path() / ".turnstile/journal.db")
        == (*flag == '\0'));
  const std::filesystem::directory_iterator files{f.path()};
  CHECK(std::distance(begin(files), end(files)) == (*flag == '\0' ? 2 : 1));
}

TEST_CASE("turnstile that cannot have its journal runs nothing and says how it "
          "could",
          "[program]") {
  plan_folder f{shell_plan(R"({"name": "a", "prompt": "touch ran"})")};
  f.write("file");
  const auto how = f.run({"--journal", "file/journal.db"});
  CHECK(how.code == 4);
  CHECK_THAT(how.err, Catch::Matchers::StartsWith("turnstile: file: ")
                        && Catch::Matchers::ContainsSubstring(
                          "--no-journal runs without one"));
  CHECK_FALSE(std::filesystem::exists(f.path() / "ran"));
}

TEST_CASE("a run is cancelled from another process, and both say so",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "exec 9>news; echo up >&9; exec sleep 600"},
    {"name": "b", "prompt": "", "needs": ["a"]})")};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({"--json"})};
  CHECK(news.line() == "up");
  const auto id = only_run_in_journal(f.path());
  CHECK(program{f.path(), {"cancel", id}}.wait().code == 0);
  const auto how = turnstile.wait();
  CHECK(how.code == 3);
  const auto run = json::parse(how.out);
  CHECK(run["status"] == "cancelled");
  CHECK(run["tasks"][0]["status"] == "cancelled");
  CHECK(run["tasks"][1]["status"] == "cancelled");
  CHECK(program{f.path(), {"resume", id}}.wait().code == 3);
  CHECK(program{f.path(), {"cancel", id}}.wait().code == 0);
}

TEST_CASE("a run that nobody runs is cancelled by who asks for it",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "exec 9>news; echo up >&9; exec sleep 600"})")};
  news_pipe news{f.path()};
  {
    program turnstile{f.path(), plan_folder::words({})};
    CHECK(news.line() == "up");
    turnstile.signal(SIGKILL);
    turnstile.wait();
  }
  const auto id = only_run_in_journal(f.path());
  CHECK(program{f.path(), {"cancel", id}}.wait().code == 0);
  const auto report = program{f.path(), {"report", id, "--json"}}.wait();
  CHECK(report.code == 3);
  CHECK(json::parse(report.out)["tasks"][0]["status"] == "cancelled");
}

TEST_CASE("a second process is told who has the journal, and can look into it",
          "[program]") {
  plan_folder f{shell_plan(R"(
    {"name": "a", "prompt": "exec 9>news; echo up >&9; exec sleep 600"})")};
  news_pipe news{f.path()};
  program turnstile{f.path(), plan_folder::words({})};
  CHECK(news.line() == "up");
  const auto second = f.run();
  CHECK(second.code == 4);
  CHECK_THAT(second.err,
             Catch::Matchers::ContainsSubstring("runs what is in it"));
  CHECK(runs_in_journal(f.path())[0]["accepted"] == 1);
}
