#pragma once

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/sqlite_failure.hpp"
#include "core/base/result.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A journal as anybody may look at it, also while another process owns it.
class journal_view {
public:
  /// `storage_failed` if there is no such file, `invalid_argument` if it is no
  /// journal.
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

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  journal_view(std::string path, std::unique_ptr<SQLite::Database> db)
    : path_(std::move(path)), db_(std::move(db)) {}

  std::string path_;
  std::unique_ptr<SQLite::Database> db_;
};

} // namespace turnstile
