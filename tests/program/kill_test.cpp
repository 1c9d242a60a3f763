#include "tests/program/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

using namespace program_tests;
using json = nlohmann::ordered_json;

// The program is killed again and again at times spread over its run, and
// resumed until the run ends. This is the one place where time has to pass: it
// is what is drawn.

namespace {

constexpr std::size_t rows = 6;
constexpr std::size_t columns = 5;

std::string name_of(std::size_t row, std::size_t column) {
  return "t" + std::to_string(row) + std::to_string(column);
}

/// Rows of quick tasks, each of which needs one of the row before and says in
/// a file that it runs.
std::string plan_of_rows() {
  std::string tasks;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const auto name = name_of(row, column);
      json task = {{"name", name},
                   {"prompt", "echo " + name + " >>ran; echo out " + name}};
      if (row > 0)
        task["needs"] = {name_of(row - 1, (column + row) % columns)};
      tasks += (tasks.empty() ? "" : ",") + task.dump();
    }
  return "{"
         R"("concurrency": 3,
    "retry": {"max_retries": 100000, "initial_backoff": "1ms"},
    "backends": {"sh": {"kind": "process", "command": ["sh", "-s"]}},
    "tasks": [)"
         + tasks + "]}";
}

/// How often each task has run.
std::map<std::string, int> runs_in(const std::filesystem::path& folder) {
  std::map<std::string, int> count;
  if (!std::filesystem::exists(folder / "ran"))
    return count;
  std::istringstream lines{content_of(folder / "ran")};
  for (std::string line; std::getline(lines, line);)
    ++count[line];
  return count;
}

/// The tasks that somebody who watched was told to be ok.
std::vector<std::string> told_in(const std::string& err) {
  std::vector<std::string> names;
  std::istringstream lines{err};
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find("] ");
    const auto end = line.find(" ok in ");
    if (line.starts_with('[') && end != line.npos)
      names.push_back(line.substr(begin + 2, end - begin - 2));
  }
  return names;
}

/// The only run in the folder's journal, or nothing.
std::string run_in(const std::filesystem::path& folder) {
  const auto how = program{folder, {"list", "--json"}}.wait();
  if (how.code != 0) { // it was killed before there was a journal
    CHECK(how.code == 4);
    return "";
  }
  const auto runs = json::parse(how.out)["runs"];
  REQUIRE(runs.size() <= 1);
  return runs.empty() ? "" : runs[0]["run"].get<std::string>();
}

/// What a report says of the tasks, without what no two runs have in common.
json essence(const json& run) {
  json tasks = json::array();
  for (const auto& task : run["tasks"])
    tasks.push_back({task["name"], task["status"], task["output"],
                     task["error"], task["backend"]});
  return {run["status"], run["quota_used"], std::move(tasks)};
}

} // namespace

TEST_CASE("turnstile that is killed at any time loses nothing that it has told "
          "and runs nothing of that again",
          "[program]") {
  const auto* wanted = std::getenv("TURNSTILE_KILLS"); // as `make torture` says
  const auto enough = wanted != nullptr ? std::atoi(wanted) : 150;
  std::random_device chance;
  const auto seed = chance();
  INFO("seed " << seed);
  std::mt19937 draw{seed};
  plan_folder calm{plan_of_rows()};
  const auto undisturbed = calm.run({"--json", "--quiet"});
  REQUIRE(undisturbed.code == 0);
  int kills = 0;
  while (kills < enough) {
    plan_folder f{plan_of_rows()};
    std::map<std::string, int> told; // and how often it had run by then
    std::string id;
    ending how;
    do {
      program turnstile{f.path(), id.empty() ? plan_folder::words({"--json"})
                                             : std::vector<std::string>{
                                               "resume", id, "--json"}};
      std::uniform_int_distribution<int> micros{0, 60'000};
      turnstile.kill_after(std::chrono::microseconds{micros(draw)});
      how = turnstile.wait();
      INFO(how.err);
      REQUIRE((how.code == -SIGKILL || how.code == 0));
      kills += how.code == -SIGKILL ? 1 : 0;
      const auto ran = runs_in(f.path());
      for (const auto& [name, times] : told) {
        INFO(name << " had been told");
        CHECK(ran.at(name) == times);
      }
      for (const auto& name : told_in(how.err))
        told.emplace(name, ran.at(name));
      if (id.empty())
        id = run_in(f.path());
    } while (how.code != 0);
    CHECK(essence(json::parse(how.out))
          == essence(json::parse(undisturbed.out)));
    const auto report = program{f.path(), {"report", id, "--json"}}.wait();
    CHECK(essence(json::parse(report.out))
          == essence(json::parse(undisturbed.out)));
    // One end of each, in a stream without holes.
    std::istringstream events{
      program{f.path(), {"events", id, "--json"}}.wait().out};
    std::map<std::string, int> done;
    int number = 0;
    std::string last;
    for (std::string line; std::getline(events, line);) {
      const auto event = json::parse(line);
      CHECK(event["number"] == ++number);
      last = event["type"];
      if (last == "agent_done")
        ++done[event["name"]];
    }
    CHECK(last == "run_done");
    CHECK(done.size() == rows * columns);
    CHECK(std::all_of(done.begin(), done.end(),
                      [](const auto& one) { return one.second == 1; }));
  }
}
