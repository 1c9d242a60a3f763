#include "actors/journal/ask_owner.hpp"

#include "actors/journal/ownership.hpp"
#include "actors/journal/page_check.hpp"
#include "actors/journal/sqlite_failure.hpp"
#include "core/base/time.hpp"
#include "messages/translate/failure.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace turnstile {

namespace {

/// Whether a process owns the journal and lives.
bool has_owner(SQLite::Database& db, const ownership_file& locks) {
  const auto epoch = db.execAndGet("SELECT epoch FROM owner").getInt64();
  return locks.is_held(static_cast<std::uint64_t>(epoch));
}

std::optional<wire::CommandAnswer> answer_to(SQLite::Database& db,
                                             std::int64_t command) {
  SQLite::Statement row{
    db, "SELECT answer FROM commands WHERE id = ? AND done_at IS NOT NULL"};
  row.bind(1, command);
  if (!row.executeStep())
    return std::nullopt;
  wire::CommandAnswer answer;
  answer.ParseFromArray(row.getColumn(0).getBlob(),
                        row.getColumn(0).getBytes());
  return answer;
}

std::int64_t put(SQLite::Database& db, const wire::JournalCommand& command) {
  SQLite::Statement row{db, "INSERT INTO commands(verb, run, task, asked_at)"
                            " VALUES(?, ?, ?, ?)"};
  row.bind(1, command.verb());
  row.bind(2, command.run());
  row.bind(3, command.task());
  row.bind(4, std::chrono::duration_cast<duration>(
                std::chrono::system_clock::now().time_since_epoch())
                .count());
  row.exec();
  return db.getLastInsertRowid();
}

void take_back(SQLite::Database& db, std::int64_t command) {
  SQLite::Statement row{db, "DELETE FROM commands WHERE id = ?"};
  row.bind(1, command);
  row.exec();
}

} // namespace

result<std::optional<wire::CommandAnswer>>
ask_owner(const std::string& path, const wire::JournalCommand& command) {
  const auto locks = ownership_file::look_at(path);
  if (!locks || !locks->is_held())
    return std::nullopt; // and the file is left alone
  using answered = std::optional<wire::CommandAnswer>;
  return guard_sqlite(path, [&]() -> result<answered> {
    SQLite::Database db{path, SQLite::OPEN_READWRITE, 5000, page_check_vfs()};
    if (!has_owner(db, *locks))
      return answered{};
    const auto id = put(db, command);
    for (;;) {
      if (auto answer = answer_to(db, id)) {
        if (answer->has_failure())
          return fail(failure_in(answer->failure()));
        return answer;
      }
      if (!has_owner(db, *locks)) {
        take_back(db, id); // nobody else is to do it later
        return answered{};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
  });
}

} // namespace turnstile
