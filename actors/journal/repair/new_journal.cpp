#include "actors/journal/repair/new_journal.hpp"

#include "actors/journal/journal_file.hpp"
#include "actors/journal/page_check.hpp"
#include "actors/journal/sqlite_failure.hpp"

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

namespace turnstile::repair {

namespace {

constexpr std::uint64_t rows_per_commit = 10'000;

/// What lies beside a journal, by how its name ends.
constexpr const char* ends[] = {"", "-wal", "-shm", "-owner"};

void bind(SQLite::Statement& to, int at, const column& from) {
  switch (from.is) {
  case column::type::nothing:
    return to.bind(at);
  case column::type::number:
    return to.bind(at, from.number);
  case column::type::text:
    return to.bindNoCopy(at, from.bytes);
  case column::type::blob:
    return to.bindNoCopy(at, from.bytes.data(),
                         static_cast<int>(from.bytes.size()));
  }
}

} // namespace

new_journal::new_journal(std::string path)
  : path_(std::move(path)), part_(path_ + ".part") {}

new_journal::~new_journal() {
  inserts_.clear();
  open_.reset();
  db_.reset();
  std::error_code none;
  for (const auto* end : ends)
    std::filesystem::remove(part_ + end, none);
}

result<std::unique_ptr<new_journal>>
new_journal::make(const std::string& path) {
  std::error_code none;
  for (const auto* end : ends)
    if (std::filesystem::exists(path + end, none))
      return fail(errc::invalid_argument,
                  path + end + " is there already; --to FILE names another");
  std::unique_ptr<new_journal> made{new new_journal{path}};
  const auto& part = made->part_;
  for (const auto* end : ends) // of a repair that was killed
    std::filesystem::remove(part + end, none);
  {
    journal_file_options how;
    how.path = part;
    auto tables = journal_file::open(std::move(how));
    if (!tables)
      return fail(tables.error());
  }
  auto ready = guard_sqlite(part, [&]() -> status {
    auto& db = made->db_;
    db = std::make_unique<SQLite::Database>(part, SQLite::OPEN_READWRITE, 0,
                                            page_check_vfs());
    db->exec("PRAGMA synchronous = NORMAL"); // until it is finished
    made->open_.emplace(*db);
    return {};
  });
  if (!ready)
    return fail(ready.error());
  return made;
}

void new_journal::put(const std::string& table, const row& what) {
  auto known = inserts_.find(table);
  if (known == inserts_.end()) {
    std::string text = "INSERT INTO ";
    text.append(table).append(" VALUES(?");
    for (std::size_t i = 1; i < what.columns.size(); ++i)
      text.append(", ?");
    known = inserts_.emplace(table, SQLite::Statement{*db_, text + ")"}).first;
  }
  auto& into = known->second;
  into.bind(1, what.id);
  for (std::size_t i = 1; i < what.columns.size(); ++i)
    bind(into, static_cast<int>(i) + 1, what.columns[i]);
  into.exec();
  into.reset();
  written();
}

void new_journal::put_memo(const std::string& key, std::int64_t work) {
  SQLite::Statement into{*db_, "INSERT INTO memos VALUES(?, ?)"};
  into.bindNoCopy(1, key.data(), static_cast<int>(key.size()));
  into.bind(2, work);
  into.exec();
  written();
}

void new_journal::put_owner(std::int64_t epoch, std::int64_t facts,
                            std::int64_t lives) {
  SQLite::Statement into{*db_, "UPDATE owner SET epoch = ?, facts = ?,"
                               " lives = ?, holder = '', lease_until = 0"};
  into.bind(1, epoch);
  into.bind(2, facts);
  into.bind(3, lives);
  into.exec();
}

void new_journal::written() {
  if (++rows_ % rows_per_commit != 0)
    return;
  open_->commit();
  open_.emplace(*db_);
}

// What is in the file's own pages is synced before the file gets its name.
status new_journal::finish() {
  auto done = guard_sqlite(path_, [&]() -> status {
    inserts_.clear();
    open_->commit();
    open_.reset();
    db_->exec("PRAGMA wal_checkpoint(TRUNCATE)");
    db_.reset();
    return {};
  });
  if (!done)
    return done;
  std::error_code problem;
  for (const auto* end : {"-owner", ""})
    if (!problem)
      std::filesystem::rename(part_ + end, path_ + end, problem);
  if (problem)
    return fail(errc::storage_failed, path_ + ": " + problem.message());
  return {};
}

} // namespace turnstile::repair
