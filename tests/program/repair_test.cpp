#include "tests/program/program.hpp"

using namespace program_tests;
using Catch::Matchers::ContainsSubstring;
using json = nlohmann::json;

// The way out of a damaged journal, as a user goes it.

namespace {

struct journal_folder : plan_folder {
  using plan_folder::plan_folder;

  [[nodiscard]] ending turnstile(std::vector<std::string> words) const {
    return program{path(), std::move(words)}.wait();
  }

  /// Damages the page of the journal in which the text is found first.
  void damage(const std::string& text) {
    auto bytes = content_of(path() / "journal.db");
    const auto at = bytes.find(text);
    REQUIRE(at != bytes.npos);
    bytes[at] = '?';
    write("journal.db", bytes);
  }
};

} // namespace

TEST_CASE("turnstile repairs a damaged journal, says what is lost, and goes on "
          "with its run",
          "[program]") {
  journal_folder f{shell_plan(R"(
    {"name": "done", "prompt": "printf seven; printf teen"},
    {"name": "cut off", "needs": ["done"],
     "prompt": "[ -e go ] || { exec 9>news; echo up >&9; sleep 600; }"})")};
  {
    news_pipe news{f.path()};
    program killed{f.path(), plan_folder::words({"--journal", "journal.db"})};
    CHECK(news.line() == "up");
  }
  f.write("go", "");
  REQUIRE(f.turnstile({"journal", "compact", "journal.db"}).code == 0);
  f.damage("seventeen"); // what was done
  const std::vector<std::string> resume{"resume", "--json", "--quiet",
                                        "--journal"};
  auto words = resume;
  words.emplace_back("journal.db");
  const auto refused = f.turnstile(words);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err,
             ContainsSubstring("turnstile journal repair journal.db"));
  const auto how = f.turnstile({"journal", "repair", "journal.db", "--json"});
  CHECK(how.code == 6);
  const auto report = json::parse(how.out);
  CHECK(report["repaired"] == "journal.db.repaired");
  CHECK(report["kept"]["runs"] == 1);
  CHECK(report["bad_pages"].size() == 1);
  INFO(how.out);
  REQUIRE_FALSE(report["lost"].empty()); // the other may not have been there
  CHECK(report["lost"][0]["what"] == "task");
  CHECK(report["lost"][0]["name"] == "done");
  CHECK_THAT(report["lost"][0]["text"].get<std::string>(),
             ContainsSubstring("task done cannot be read; when its run is "
                               "resumed it runs again"));
  CHECK(f.turnstile({"journal", "verify", "journal.db.repaired"}).code == 0);
  words = resume;
  words.emplace_back("journal.db.repaired");
  const auto resumed = f.turnstile(words);
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  const auto tasks = json::parse(resumed.out)["tasks"];
  CHECK(tasks[0]["output"] == "seventeen");
  CHECK(tasks[1]["status"] == "ok");
}

TEST_CASE("turnstile saves all of a journal whose damage hides nothing",
          "[program]") {
  journal_folder f{"{}"};
  std::filesystem::copy_file(TURNSTILE_FIXTURES + std::string{"format-1.db"},
                             f.path() / "journal.db");
  f.damage("works_by_label"); // how its tables are made
  const auto how =
    f.turnstile({"journal", "repair", "journal.db", "--to", "new.db"});
  CHECK(how.code == 0);
  CHECK(how.out
        == "journal.db: page 1 cannot be read\n"
           "new.db: 2 runs, 4 tasks, 10 events; nothing is lost\n");
  const auto again =
    f.turnstile({"journal", "repair", "journal.db", "--to", "new.db"});
  CHECK(again.code == 2);
  CHECK(again.err
        == "turnstile: new.db is there already; --to FILE names another\n");
}
