#include "tests/program/program.hpp"

using namespace program_tests;
using json = nlohmann::json;

// Journals that earlier versions have written. A file in fixtures/ is made once
// and never again: `format-1.db` has a run that has ended and one whose process
// was killed, with a task that succeeded, one that failed, one that was skipped
// and one that was cut off in its first attempt.

namespace {

struct old_journal : plan_folder {
  explicit old_journal(const std::string& name) : plan_folder("{}") {
    std::filesystem::copy_file(TURNSTILE_FIXTURES + name,
                               path() / "journal.db");
  }

  ending look(std::vector<std::string> words) const {
    words.insert(words.end(), {"--journal", "journal.db"});
    return program{path(), std::move(words)}.wait();
  }
};

/// Each task with how it ended and what it said, as in "a ok 1 after 1; ".
std::string text_of(const json& run) {
  std::string text;
  for (const auto& task : run["tasks"])
    text.append(task["name"])
      .append(" ")
      .append(task["status"])
      .append(" ")
      .append(task["output"].dump())
      .append(" after ")
      .append(task["attempts"].dump())
      .append("; ");
  return text;
}

} // namespace

TEST_CASE("turnstile reads a journal of its first format", "[program]") {
  const old_journal f{"format-1.db"};
  const auto list = f.look({"list", "--json"});
  REQUIRE(list.code == 0);
  const auto runs = json::parse(list.out)["runs"];
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["name"] == "format-1");
  CHECK(runs[0]["status"] == "unended");
  CHECK(runs[1]["name"] == "ended");
  CHECK(runs[1]["status"] == "completed");
  CHECK(program{f.path(), {"journal", "verify", "journal.db"}}.wait().code
        == 0);
  const auto report = f.look({"report", runs[1]["run"], "--json"});
  CHECK(report.code == 0);
  CHECK(text_of(json::parse(report.out)) == "a ok [1,2] after 1; ");
  const auto events = f.look({"events", runs[0]["run"], "--json"});
  CHECK(std::count(events.out.begin(), events.out.end(), '\n') >= 5);
}

TEST_CASE("turnstile goes on with a run in a journal of its first format",
          "[program]") {
  const old_journal f{"format-1.db"};
  const auto how = f.look({"resume", "--json", "--quiet"});
  INFO(how.err);
  CHECK(how.code == 1); // one has failed
  CHECK(text_of(json::parse(how.out))
        == "done ok {\"answer\":42} after 1; failed error null after 2; "
           "skipped skipped null after 0; "
           "cut off ok \"resumed after {answer:42}\" after 2; ");
}
