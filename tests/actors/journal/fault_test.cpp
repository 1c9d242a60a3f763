#include "tests/actors/journal/faulty_disk.hpp"
#include "tests/actors/journal/journal_files.hpp"
#include "tests/actors/journal/journal_world.hpp"

#include <functional>
#include <random>
#include <sqlite3.h>

using namespace journal_tests;

namespace {

/// Somebody who keeps facts on a disk that may fail, and tries again until
/// each is kept or the disk is gone.
class stubborn_owner {
public:
  static constexpr std::uint64_t commits = 5;

  explicit stubborn_owner(const scratch_folder& folder)
    : path_(folder.file()) {}

  /// All that an owner does, from the first to the last.
  void live(int patience = 20) {
    patience_ = patience;
    std::unique_ptr<journal_file> file;
    auto open = [&]() -> status {
      auto opened = journal_file::open(how());
      if (!opened)
        return fail(opened.error());
      file = std::move(*opened);
      return {};
    };
    if (!insist(open))
      return;
    for (std::uint64_t i = 0; i < commits; ++i) {
      if (i == 2 && !insist([&] { return file->compact(); }))
        return;
      if (i == 4) { // as a process that ends and one that goes on
        file.reset();
        if (!insist(open))
          return;
      }
      if (!insist([&] { return file->append(two_facts(i, 3000 * i)); })
          || !insist([&] { return file->commit(); }))
        return;
      told_ = file->facts();
      now_ += duration{10s}.count();
      if (!insist([&] { return file->renew(); }))
        return;
    }
  }

  [[nodiscard]] std::uint64_t told() const { return told_; }
  [[nodiscard]] const std::vector<failure>& failures() const {
    return failures_;
  }

  journal_file_options how() {
    journal_file_options made;
    made.path = path_;
    made.vfs = faulty_disk::vfs;
    made.machine_now = [this] { return now_; };
    made.unix_now = [this] { return now_; };
    return made;
  }

private:
  bool insist(const std::function<status()>& act) {
    for (int tries = 1; tries <= patience_; ++tries) {
      const auto done = act();
      if (done)
        return true;
      failures_.push_back(done.error());
      if (tries == 3 && patience_ > 3)
        faulty_disk::there_is().heal(); // somebody has made room
    }
    return false;
  }

  std::string path_;
  std::int64_t now_ = 1;
  int patience_ = 0;
  std::uint64_t told_ = 0;
  std::vector<failure> failures_;
};

std::string all_content() {
  auto text = std::to_string(stubborn_owner::commits) + " requests, events";
  for (std::uint64_t i = 1; i <= stubborn_owner::commits; ++i)
    text += ' ' + std::to_string(i);
  return text;
}

struct fault_row {
  const char* name;
  disk_fault fault;
  errc code;
};

} // namespace

TEST_CASE("a journal says that its disk is full or failing, whenever it is, "
          "loses nothing, and goes on when the disk does",
          "[actors][journal]") {
  const auto row = GENERATE(values<fault_row>({
    {"full", {disk_call::write, SQLITE_FULL}, errc::storage_full},
    {"full after half of it",
     {disk_call::write, SQLITE_FULL, true},
     errc::storage_full},
    {"write error",
     {disk_call::write, SQLITE_IOERR_WRITE},
     errc::storage_failed},
    {"sync error", {disk_call::sync, SQLITE_IOERR_FSYNC}, errc::storage_failed},
    {"sync error that loses all since the last",
     {disk_call::sync, SQLITE_IOERR_FSYNC, false, true},
     errc::storage_failed},
    {"read error", {disk_call::read, SQLITE_IOERR_READ}, errc::storage_failed},
    {"nothing can be opened",
     {disk_call::open, SQLITE_CANTOPEN},
     errc::storage_failed},
    {"nothing can be cut off or removed",
     {disk_call::truncate, SQLITE_IOERR_TRUNCATE},
     errc::storage_failed},
  }));
  const auto times = GENERATE(std::uint64_t{1}, faulty_disk::always);
  auto& disk = faulty_disk::there_is();
  std::uint64_t noticed = 0;
  for (std::uint64_t k = 0;; ++k) {
    INFO(row.name << ", call " << k << ", "
                  << (times == 1 ? "once" : "from then on"));
    disk.reset();
    disk.fail(row.fault, k, times);
    scratch_folder folder{quick_place()};
    stubborn_owner owner{folder};
    owner.live();
    REQUIRE(owner.told() == 2 * stubborn_owner::commits);
    if (!disk.has_failed()) {
      CHECK(k > 3);
      break;
    }
    noticed += owner.failures().empty() ? 0 : 1;
    for (const auto& why : owner.failures()) {
      INFO(to_string(why));
      CHECK(why.code == row.code);
      CHECK_THAT(why.detail, Catch::Matchers::StartsWith(folder.file()));
    }
    disk.heal();
    {
      auto again = journal_file::open(owner.how());
      INFO((again ? "" : again.error().detail));
      REQUIRE(again);
      CHECK((*again)->facts() == owner.told());
      CHECK(content(**again) == all_content());
    }
    REQUIRE(verdict(folder.file()) == "fine");
  }
  CHECK(noticed > 0);
}

TEST_CASE("a machine that ends at any time keeps all that its journal told, "
          "and no half of anything",
          "[actors][journal]") {
  auto& disk = faulty_disk::there_is();
  disk.reset();
  {
    scratch_folder folder{quick_place()};
    stubborn_owner{folder}.live();
  }
  const auto changes = disk.changes();
  REQUIRE(changes > 50);
  std::mt19937 chance{4711};
  for (std::uint64_t k = 0; k < changes; ++k)
    for (int variant = 0; variant < 2; ++variant) {
      INFO("change " << k << ", variant " << variant);
      disk.reset();
      disk.stop_at(k);
      scratch_folder folder{quick_place()};
      stubborn_owner owner{folder};
      owner.live(1);
      disk.lose_power(chance);
      auto again = journal_file::open(owner.how());
      INFO((again ? "" : again.error().detail));
      REQUIRE(again);
      const auto facts = (*again)->facts();
      CHECK(facts >= owner.told());
      CHECK(facts % 2 == 0);
      CHECK_THAT(content(**again), Catch::Matchers::StartsWith(
                                     std::to_string(facts / 2) + " requests"));
      again->reset();
      REQUIRE(verdict(folder.file()) == "fine");
    }
}
