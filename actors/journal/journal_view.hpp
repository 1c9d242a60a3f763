#pragma once

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/sqlite_failure.hpp"
#include "actors/journal/wal_check.hpp"
#include "core/base/result.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A journal as anybody may look at it, also while another process owns it.
/// Looking changes nothing.
class journal_view {
public:
  /// `storage_failed` if there is no such file, `invalid_argument` if it is no
  /// journal, `journal_damaged` if what was kept last cannot be read any more.
  static result<journal_view> open(const std::string& path);

  /// Calls `look(reader)`, which answers a result, on one state of the journal.
  template <class Look>
  auto see(Look look) -> decltype(look(std::declval<journal_reader&>())) {
    return guard_sqlite(path_, [&] {
      SQLite::Transaction still{*db_};
      journal_reader reader{*db_};
      return look(reader);
    });
  }

  /// What is wrong with the file, a line each; empty: nothing. Reads all of it.
  result<std::vector<std::string>> verify();

  /// What a crash has left of a commit at the end, and nobody reads. It is
  /// nothing wrong.
  [[nodiscard]] const wal_tail& dropped() const noexcept { return dropped_; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  journal_view(std::string path, wal_tail dropped,
               std::unique_ptr<SQLite::Database> db)
    : path_(std::move(path)), dropped_(dropped), db_(std::move(db)) {}

  std::string path_;
  wal_tail dropped_;
  std::unique_ptr<SQLite::Database> db_;
};

} // namespace turnstile
