#include "actors/journal/page_check.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <random>

using namespace journal_tests;

namespace {

/// The bytes of a journal in which some tasks have run.
std::string some_journal(const scratch_folder& folder) {
  {
    process p{folder, {ok(R"("some words that take space")", 1ms)}};
    for (int i = 0; i < 100; ++i)
      p.submit("task-" + std::to_string(i));
    p.still.advance(10s);
  }
  return bytes_of(folder.file());
}

} // namespace

TEST_CASE("a bit that a disk has changed is noticed, in whatever page",
          "[actors][journal]") {
  scratch_folder made;
  const auto whole = some_journal(made);
  REQUIRE(verdict(made.file()) == "fine");
  REQUIRE(whole.size() % 4096 == 0);
  std::mt19937 draw{4711};
  for (std::size_t page = 0; page < whole.size() / 4096; ++page) {
    auto bytes = whole;
    const auto at = page * 4096 + draw() % 4096;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw() % 8));
    scratch_folder changed;
    put_bytes(changed.file(), bytes);
    INFO("byte " << at);
    CHECK(verdict(changed.file()) != "fine");
  }
}

TEST_CASE("a bit that a disk has changed in the header is noticed, whichever",
          "[actors][journal]") {
  scratch_folder made;
  const auto whole = some_journal(made);
  scratch_folder changed{quick_place()};
  for (std::size_t bit = 0; bit < 100 * 8; ++bit) {
    auto bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    put_bytes(changed.file(), bytes);
    INFO("byte " << bit / 8 << ", bit " << bit % 8);
    CHECK_THAT(verdict(changed.file()),
               Catch::Matchers::ContainsSubstring("page 1 is not what was "
                                                  "written")
                 || Catch::Matchers::StartsWith("journal_damaged: "));
  }
}

TEST_CASE("a journal that has lost bytes at its end is refused, however many",
          "[actors][journal]") {
  scratch_folder made;
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto file = open_file(made.file());
    REQUIRE(file->append(two_facts(i, 5000)));
    REQUIRE(file->commit());
  }
  const auto whole = bytes_of(made.file());
  const auto pages = whole.size() / 4096;
  scratch_folder cut{quick_place()};
  put_bytes(cut.file(), whole);
  const auto last_page =
    "page " + std::to_string(pages) + " is not what was written";
  for (std::size_t off = 1; off < 4096; ++off) {
    std::filesystem::resize_file(cut.file(), whole.size() - off);
    INFO(off << " bytes are missing");
    REQUIRE_THAT(verdict(cut.file()),
                 Catch::Matchers::ContainsSubstring(last_page));
  }
  for (auto left = pages - 1; left > 0; --left) {
    std::filesystem::resize_file(cut.file(), left * 4096);
    INFO(left << " of " << pages << " pages are left");
    CHECK_THAT(verdict(cut.file()),
               Catch::Matchers::StartsWith("journal_damaged: "));
    journal_file_options how;
    how.path = cut.file();
    auto refused = journal_file::open(std::move(how));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::journal_damaged);
  }
}

TEST_CASE("a journal that has lost pages is refused, though its log says how "
          "many there are",
          "[actors][journal]") {
  scratch_folder folder;
  open_file(folder.file());
  auto file = open_file(folder.file());
  REQUIRE(file->append(two_facts(0, 100'000)));
  REQUIRE(file->commit());
  file.reset();
  file = open_file(folder.file());
  REQUIRE(file->append(two_facts(1)));
  REQUIRE(file->commit());
  auto files = journal_files::at(folder.file());
  scratch_folder copy;
  files.put(copy.file());
  CHECK(verdict(copy.file()) == "fine");
  files.database.resize(files.database.size() - 3 * 4096);
  files.put(copy.file());
  CHECK_THAT(verdict(copy.file()),
             Catch::Matchers::ContainsSubstring(" is not what was written"));
}

TEST_CASE("a damaged journal is refused with the page, not read around",
          "[actors][journal]") {
  scratch_folder folder;
  auto bytes = some_journal(folder);
  // The page of the works that were kept first, whatever else is there.
  const auto at = bytes.find("do task-0");
  REQUIRE(at != bytes.npos);
  bytes[at] = 'T';
  put_bytes(folder.file(), bytes);
  auto view = journal_view::open(folder.file()).value();
  auto read = view.see([](journal_reader& reader) -> result<int> {
    auto head = reader.named("0197f0a2-7f00-7000-8000-000000000001");
    return reader.history(head.value(), 0, 0).works_size();
  });
  REQUIRE_FALSE(read);
  CHECK(to_string(read.error())
        == "journal_damaged: " + folder.file() + ": page "
             + std::to_string(at / 4096 + 1)
             + " is not what was written; turnstile journal verify "
             + folder.file() + " says what is wrong, turnstile journal repair "
             + folder.file() + " saves what is left");
}

TEST_CASE("a bad page is the reason only of what met it", "[actors][journal]") {
  scratch_folder folder;
  auto bytes = some_journal(folder);
  bytes[bytes.find("do task-0")] = 'T';
  put_bytes(folder.file(), bytes);
  {
    SQLite::Database db{folder.file(), SQLite::OPEN_READONLY, 0,
                        page_check_vfs()};
    CHECK_THROWS(db.execAndGet("SELECT sum(length(accepted)) FROM works"));
  }
  journal_file_options how;
  how.path = folder.path() / "no journal but a folder";
  std::filesystem::create_directory(how.path);
  auto refused = journal_file::open(std::move(how));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == errc::storage_failed);
}
