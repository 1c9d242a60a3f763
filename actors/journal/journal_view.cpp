#include "actors/journal/journal_view.hpp"

#include "actors/journal/file_schema.hpp"
#include "actors/journal/ownership.hpp"
#include "actors/journal/page_check.hpp"
#include "actors/journal/way_out.hpp"

#include <filesystem>
#include <sqlite3.h>
#include <unistd.h>

namespace turnstile {

result<journal_view> journal_view::open(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return fail(errc::storage_failed,
                path + ": there is no journal; --journal FILE names another");
  const auto owner = ownership_file::look_at(path);
  auto tail = owner ? check_wal(path, *owner) : read_wal(path);
  if (!tail)
    return fail(tail.error());
  return guard_sqlite(path, [&]() -> result<journal_view> {
    // What an owner that was killed has left half done is undone by whoever
    // comes first, which takes the right to write.
    const auto may_write = ::access(path.c_str(), W_OK) == 0;
    auto db = std::make_unique<SQLite::Database>(
      path, may_write ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY, 5000,
      page_check_vfs());
    sqlite3_db_config(db->getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
    db->exec("PRAGMA query_only = ON");
    if (db->execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0)
      return fail(errc::storage_failed, path + ": nothing is in it yet");
    if (db->execAndGet("PRAGMA application_id").getInt()
        != journal_application_id)
      return fail(errc::invalid_argument, path + " is no journal");
    return journal_view{path, *tail, std::move(db)};
  });
}

namespace {

/// Reads a blob of every row as a message, and says which rows hold none.
template <class Message>
void read_all(SQLite::Database& db, const std::string& table,
              const std::string& key, const std::string& column,
              std::vector<std::string>& wrong) {
  std::string query = "SELECT ";
  query.append(key).append(", ").append(column).append(" FROM ").append(table);
  query.append(" WHERE ").append(column).append(" IS NOT NULL");
  SQLite::Statement rows{db, query};
  Message message;
  while (rows.executeStep())
    if (!message.ParseFromArray(rows.getColumn(1).getBlob(),
                                rows.getColumn(1).getBytes()))
      wrong.push_back("table " + table + ", row "
                      + std::to_string(rows.getColumn(0).getInt64()) + ": "
                      + column + " is no " + message.GetTypeName());
}

} // namespace

result<std::vector<std::string>> journal_view::verify() {
  std::vector<std::string> wrong;
  auto part = [&](const std::string& what, auto look) {
    auto done = guard_sqlite(path_, [&]() -> status {
      look();
      return {};
    });
    if (done)
      return;
    auto text = done.error().detail; // who reads it knows the way to here
    if (const auto known = way_out(path_); text.ends_with(known))
      text.resize(text.size() - known.size());
    wrong.push_back(what + ": " + text);
  };
  // Asked first: an owner that lives goes on meanwhile.
  const auto owner = ownership_file::look_at(path_);
  const auto told = owner ? owner->acknowledged() : std::nullopt;
  part("table owner", [&] {
    const auto facts = static_cast<std::uint64_t>(
      db_->execAndGet("SELECT facts FROM owner").getInt64());
    if (told && *told > facts)
      wrong.push_back(missing_text(*told - facts, dropped_, path_));
  });
  part("the tables", [&] {
    SQLite::Statement check{*db_, "PRAGMA integrity_check"};
    while (check.executeStep())
      if (const auto line = check.getColumn(0).getString(); line != "ok")
        wrong.push_back(line);
  });
  part("table requests", [&] {
    read_all<wire::OpenedFact>(*db_, "requests", "key", "opened", wrong);
    read_all<wire::ClosedFact>(*db_, "requests", "key", "closed", wrong);
    read_all<wire::Tally>(*db_, "requests", "key", "tally", wrong);
  });
  part("table works", [&] {
    read_all<wire::AcceptedFact>(*db_, "works", "id", "accepted", wrong);
    read_all<wire::EndedFact>(*db_, "works", "id", "ended", wrong);
  });
  part("table events",
       [&] { read_all<wire::Event>(*db_, "events", "id", "event", wrong); });
  return wrong;
}

} // namespace turnstile
