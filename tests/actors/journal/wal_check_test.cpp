#include "actors/journal/wal_check.hpp"

#include "actors/journal/ask_owner.hpp"
#include "actors/journal/open_journal.hpp"
#include "actors/journal/page_check.hpp"
#include "tests/actors/journal/faulty_disk.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"
#include "tests/actors/log_reader.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <random>
#include <sqlite3.h>

using namespace journal_tests;

namespace {

constexpr std::size_t header_size = 32;
constexpr std::size_t frame_size = 24 + 4096;

/// On a disk that syncs at once, so that many can be opened.
result<std::unique_ptr<journal_file>> open_quickly(const std::string& path) {
  static_cast<void>(faulty_disk::there_is());
  journal_file_options how;
  how.path = path;
  how.vfs = faulty_disk::vfs;
  how.unix_now = [] { return std::int64_t{1}; };
  return journal_file::open(std::move(how));
}

void keep(journal_file& file, std::uint64_t number, std::size_t bytes = 10) {
  REQUIRE(file.append(two_facts(number, bytes)));
  REQUIRE(file.commit());
}

/// A journal whose owner was killed: three commits are in the database, and
/// three and that of the owner in the log.
struct killed_journal {
  killed_journal() {
    for (std::uint64_t i = 0; i < 3; ++i)
      keep(*open_quickly(folder.file()).value(), i);
    auto file = open_quickly(folder.file()).value();
    for (std::uint64_t i = 3; i < 6; ++i) {
      unacknowledged = bytes_of(folder.file() + "-owner");
      keep(*file, i, 6000);
    }
    files = journal_files::at(folder.file());
  }

  [[nodiscard]] std::size_t frames() const {
    return (files.log.size() - header_size) / frame_size;
  }

  [[nodiscard]] bool is_commit(std::size_t frame) const {
    return files.log.substr(header_size + frame * frame_size + 4, 4)
           != std::string(4, '\0');
  }

  /// The number of commits in the first so many frames.
  [[nodiscard]] std::size_t commits(std::size_t first) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first; ++i)
      count += is_commit(i) ? 1 : 0;
    return count;
  }

  scratch_folder folder{quick_place()};
  journal_files files;
  std::string unacknowledged; ///< The owner file, the last commit not told.
};

/// What opening says of these files: their content, and what was dropped.
std::string opening(const scratch_folder& folder, const journal_files& files) {
  files.put(folder.file());
  auto file = open_quickly(folder.file());
  if (!file)
    return to_string(file.error());
  auto text = content(**file);
  if (const auto& tail = (*file)->dropped(); tail.frames > 0)
    text += "; " + to_string(tail, "it");
  return text;
}

std::string with_requests(std::size_t count) {
  auto text = std::to_string(count) + " requests, events";
  for (std::size_t i = 1; i <= count; ++i)
    text += ' ' + std::to_string(i);
  return text;
}

bool is_refused(const std::string& answer) {
  return answer.starts_with("journal_damaged: ");
}

} // namespace

TEST_CASE("a log that ends within the frame of a commit that nobody was told "
          "opens without it and says how much that was",
          "[actors][journal]") {
  killed_journal killed;
  REQUIRE(killed.commits(killed.frames()) == 4);
  std::size_t last_commit = 1;
  while (!killed.is_commit(killed.frames() - 1 - last_commit))
    ++last_commit;
  REQUIRE(last_commit > 1);
  scratch_folder cut{quick_place()};
  killed.files.put(cut.file());
  for (std::size_t off = 1; off <= frame_size; ++off) {
    const auto left = last_commit - (off == frame_size ? 1 : 0);
    INFO(off << " bytes are missing");
    std::filesystem::resize_file(cut.file() + "-wal",
                                 killed.files.log.size() - off);
    const auto tail = read_wal(cut.file());
    REQUIRE(tail);
    REQUIRE(tail->frames == left);
    if (off % 50 != 1 && off != frame_size)
      continue; // opening takes longer
    auto files = killed.files;
    files.log.resize(files.log.size() - off);
    files.owner = killed.unacknowledged;
    scratch_folder copy{quick_place()};
    REQUIRE(opening(copy, files)
            == with_requests(5) + "; " + to_string({0, left}, "it"));
  }
}

TEST_CASE("a log that ends early is refused if somebody was told of what is "
          "missing, and left as it is",
          "[actors][journal]") {
  killed_journal killed;
  scratch_folder cut{quick_place()};
  for (std::size_t off = 1; off <= frame_size; off += 103) {
    auto files = killed.files;
    files.log.resize(files.log.size() - off);
    INFO(off << " bytes are missing");
    const auto answer = opening(cut, files);
    CHECK(is_refused(answer));
    CHECK_THAT(answer, Catch::Matchers::ContainsSubstring(
                         "the last 2 facts that were told to somebody are "
                         "missing"));
    CHECK_THAT(answer,
               Catch::Matchers::ContainsSubstring("turnstile journal verify "));
    CHECK(journal_files::at(cut.file()).log == files.log);
    CHECK_THAT(verdict(cut.file()),
               Catch::Matchers::StartsWith("the last 2 facts"));
    CHECK(journal_files::at(cut.file()).log == files.log);
  }
}

TEST_CASE("a log that ends between frames has the commits that are whole",
          "[actors][journal]") {
  killed_journal killed;
  scratch_folder cut{quick_place()};
  for (std::size_t frames = 0; frames <= killed.frames(); ++frames) {
    auto files = killed.files;
    files.log.resize(header_size + frames * frame_size);
    INFO(frames << " frames are left");
    const auto commits = killed.commits(frames);
    CHECK(is_refused(opening(cut, files)) == (commits < 4));
    files.owner.clear(); // a machine that crashed has not kept it
    CHECK_THAT(opening(cut, files),
               Catch::Matchers::StartsWith(
                 with_requests(3 + std::max<std::size_t>(commits, 1) - 1)));
  }
  for (std::size_t bytes = 0; bytes < header_size; ++bytes) {
    auto files = killed.files;
    files.log.resize(bytes);
    INFO(bytes << " bytes are left");
    CHECK(is_refused(opening(cut, files)));
  }
}

TEST_CASE("a bit that a disk has changed in a log is noticed, in whatever "
          "frame",
          "[actors][journal]") {
  killed_journal killed;
  scratch_folder changed{quick_place()};
  std::mt19937 draw{4711};
  auto flipped = [&](std::size_t at) {
    auto files = killed.files;
    files.log[at] = static_cast<char>(files.log[at] ^ (1 << draw() % 8));
    return files;
  };
  for (std::size_t at = 0; at < header_size; ++at) {
    auto files = flipped(at);
    files.owner.clear();
    const auto answer = opening(changed, files);
    INFO("byte " << at << ": " << answer);
    CHECK(is_refused(answer));
    CHECK_THAT(answer, Catch::Matchers::ContainsSubstring("its header"));
  }
  for (std::size_t frame = 0; frame < killed.frames(); ++frame)
    for (std::size_t i = 0; i < 28; ++i) {
      const auto at =
        header_size + frame * frame_size + (i < 24 ? i : 24 + draw() % 4096);
      auto files = flipped(at);
      auto answer = opening(changed, files);
      INFO("frame " << frame + 1 << ", byte " << at << ": " << answer);
      CHECK(is_refused(answer));
      // Without the owner's word, what follows proves it, if anything does.
      files.owner.clear();
      answer = opening(changed, files);
      const auto is_last = killed.commits(frame) == 3;
      const auto is_mark = i >= 4 && i < 8; // now it looks like two commits
      if (is_last && !(is_mark && !killed.is_commit(frame))) {
        CHECK_THAT(answer,
                   Catch::Matchers::StartsWith(with_requests(5) + "; "));
        continue;
      }
      CHECK(is_refused(answer));
      CHECK_THAT(answer, Catch::Matchers::ContainsSubstring(
                           "-wal: frame " + std::to_string(frame + 1)
                           + " is not what was written"));
      CHECK(journal_files::at(changed.file()).log == files.log);
    }
}

TEST_CASE("what a log has of before it was used again is no damage",
          "[actors][journal]") {
  scratch_folder folder{quick_place()};
  auto file = open_quickly(folder.file()).value();
  for (std::uint64_t i = 0; i < 6; ++i)
    keep(*file, i, 6000);
  {
    SQLite::Database db{folder.file(), SQLite::OPEN_READWRITE, 5000,
                        page_check_vfs(faulty_disk::vfs)};
    sqlite3_db_config(db.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
    db.exec("PRAGMA wal_checkpoint(RESTART)");
  }
  const auto before = journal_files::at(folder.file()).log;
  keep(*file, 6);
  const auto files = journal_files::at(folder.file());
  REQUIRE(files.log.size() == before.size());
  REQUIRE(files.log != before);
  scratch_folder copy{quick_place()};
  CHECK(opening(copy, files) == with_requests(7));
}

TEST_CASE("what a commit that failed has left in a log is no damage",
          "[actors][journal]") {
  auto& disk = faulty_disk::there_is();
  disk.reset();
  scratch_folder folder{quick_place()};
  journal_file_options how;
  how.path = folder.file();
  how.vfs = faulty_disk::vfs;
  auto now = std::int64_t{1};
  how.machine_now = [&now] { return now; };
  auto file = journal_file::open(std::move(how)).value();
  keep(*file, 0);
  REQUIRE(file->append(two_facts(1, 30'000)));
  disk.fail({disk_call::sync, SQLITE_IOERR_FSYNC}, 0, 1);
  REQUIRE_FALSE(file->commit());
  now += duration{10s}.count();
  REQUIRE(file->renew()); // writes over the first frame of many
  scratch_folder copy{quick_place()};
  CHECK_THAT(opening(copy, journal_files::at(folder.file())),
             Catch::Matchers::StartsWith(with_requests(1) + "; "));
}

TEST_CASE("a reader beside a living owner is not refused for what the owner is "
          "writing",
          "[actors][journal]") {
  killed_journal killed;
  scratch_folder folder{quick_place()};
  auto files = killed.files;
  files.put(folder.file());
  auto file = open_quickly(folder.file()).value();
  keep(*file, 6);
  auto log = bytes_of(folder.file() + "-wal");
  log[header_size + 8 * frame_size + 100] ^= 1; // is still on its way
  put_bytes(folder.file() + "-wal", log);
  REQUIRE_FALSE(read_wal(folder.file()));
  CHECK(journal_view::open(folder.file()));
}

TEST_CASE("a look at a journal whose owner was killed tells of the unfinished "
          "commit and changes nothing",
          "[actors][journal]") {
  killed_journal killed;
  killed.files.log.resize(killed.files.log.size() - 1);
  killed.files.owner = killed.unacknowledged;
  scratch_folder folder{quick_place()};
  killed.files.put(folder.file());
  for (int i = 0; i < 2; ++i) {
    auto view = journal_view::open(folder.file()).value();
    CHECK_THAT(to_string(view.dropped(), "journal.db"),
               Catch::Matchers::EndsWith(" frames of an unfinished commit at "
                                         "the end of journal.db-wal were "
                                         "dropped"));
    CHECK(view.verify().value().empty());
  }
  CHECK(journal_files::at(folder.file()).log == killed.files.log);
  CHECK(journal_files::at(folder.file()).database == killed.files.database);
}

TEST_CASE("a program that opens a journal logs what it drops",
          "[actors][journal]") {
  killed_journal killed;
  killed.files.log.resize(killed.files.log.size() - frame_size);
  killed.files.owner = killed.unacknowledged;
  scratch_folder folder{quick_place()};
  killed.files.put(folder.file());
  const auto tail = read_wal(folder.file()).value();
  log_reader logs{spdlog::level::warn};
  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  auto link = open_journal(still.system(), folder.file()).value();
  CHECK(logs.text()
        == "journal_tail_dropped frames=" + std::to_string(tail.frames)
             + " text=\"" + to_string(tail, folder.file()) + "\"\n");
  still.kill(link.journal);
}

TEST_CASE("who asks the owner of a journal that has none leaves it alone",
          "[actors][journal]") {
  killed_journal killed;
  scratch_folder folder{quick_place()};
  killed.files.put(folder.file());
  const auto asked = ask_owner(folder.file(), wire::JournalCommand{});
  REQUIRE(asked);
  CHECK(!*asked);
  CHECK(journal_files::at(folder.file()).log == killed.files.log);
}
