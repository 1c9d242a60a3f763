#include "tests/actors/journal/journal_world.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>

using namespace journal_tests;

namespace {

/// A file on a clock that the test moves.
struct timed_file {
  result<std::unique_ptr<journal_file>> open() {
    journal_file_options how;
    how.path = folder.file();
    how.machine_now = [this] { return now; };
    how.unix_now = [this] { return now; };
    return journal_file::open(std::move(how));
  }

  scratch_folder folder;
  std::int64_t now = 1'000'000'000;
};

wire::AppendFacts opened(std::uint64_t request, std::uint64_t life) {
  wire::AppendFacts facts;
  facts.set_scheduler("test");
  auto& fact = *facts.add_facts()->mutable_opened();
  fact.mutable_request()->set_value(request);
  fact.set_life(life);
  return facts;
}

std::string text(const status& how) {
  return how ? "done" : std::string{to_string(how.error().code)};
}

} // namespace

TEST_CASE("a journal has one owner", "[actors][journal]") {
  timed_file f;
  auto first = f.open().value();
  auto second = f.open();
  REQUIRE_FALSE(second);
  CHECK(second.error().code == errc::journal_owned);
  CHECK_THAT(second.error().detail,
             Catch::Matchers::ContainsSubstring("process ")
               && Catch::Matchers::ContainsSubstring("runs what is in it"));
}

TEST_CASE("a journal whose owner has ended is taken over at once",
          "[actors][journal]") {
  timed_file f;
  auto first = f.open().value();
  const auto epoch = first->epoch();
  first.reset();
  auto second = f.open();
  REQUIRE(second);
  CHECK((*second)->epoch() == epoch + 1);
}

TEST_CASE(
  "an owner that did nothing for longer than its lease is fenced by the "
  "next one, and writes nothing more",
  "[actors][journal]") {
  timed_file f;
  auto first = f.open().value();
  REQUIRE(first->append(opened(1, 0)));
  CHECK(text(first->commit()) == "done");
  f.now += duration{14s}.count();
  CHECK(f.open().error().code == errc::journal_owned);
  f.now += duration{2s}.count();
  auto second = f.open().value();
  REQUIRE(first->append(opened(2, 1)));
  CHECK(text(first->commit()) == "fenced");
  CHECK(text(first->renew()) == "fenced");
  REQUIRE(second->append(opened(3, 2)));
  CHECK(text(second->commit()) == "done");
  CHECK(second->facts() == 2);
  wire::HistoryQuery query;
  query.set_scheduler("test");
  query.mutable_request()->set_value(2);
  CHECK(second->history(query).error().code == errc::unknown_request);
}

TEST_CASE("an owner that renews its lease keeps its journal",
          "[actors][journal]") {
  timed_file f;
  auto first = f.open().value();
  for (int i = 0; i < 10; ++i) {
    f.now += duration{8s}.count();
    CHECK(text(first->renew()) == "done");
  }
  CHECK(f.open().error().code == errc::journal_owned);
}

TEST_CASE("a third process sees whom the second has fenced as no owner",
          "[actors][journal]") {
  timed_file f;
  auto stale = f.open().value();
  f.now += duration{16s}.count();
  auto second = f.open().value();
  stale.reset(); // lets go of the lock of its own epoch alone
  CHECK(f.open().error().code == errc::journal_owned);
}

TEST_CASE("what is no journal is refused and left alone", "[actors][journal]") {
  timed_file f;
  auto [content, code] = GENERATE(table<std::string, errc>({
    {"this is not a database, whatever its name may say",
     errc::journal_damaged},
    {"", errc::invalid_argument},
  }));
  if (content.empty()) {
    SQLite::Database db{f.folder.file(),
                        SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    db.exec("CREATE TABLE people(name TEXT)");
  } else {
    std::ofstream{f.folder.file()} << content;
  }
  const auto before = std::filesystem::file_size(f.folder.file());
  auto refused = f.open();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == code);
  CHECK(std::filesystem::file_size(f.folder.file()) == before);
}

TEST_CASE("facts of a message are kept whole or refused whole",
          "[actors][journal]") {
  timed_file f;
  auto file = f.open().value();
  auto facts = opened(1, 0);
  auto& stray = *facts.add_facts()->mutable_started()->mutable_work_id();
  stray.mutable_request()->set_value(9);
  stray.set_life(4);
  stray.set_sequence(0);
  const auto refused = file->append(facts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::unknown_request);
  CHECK_FALSE(file->has_draft());
}

TEST_CASE("a journal has its place for the count of acknowledged facts from "
          "the first",
          "[actors][journal]") {
  timed_file f;
  auto file = f.open().value();
  CHECK(ownership_file::look_at(f.folder.file())->acknowledged() == 0);
}
