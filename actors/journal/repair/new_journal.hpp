#pragma once

#include "actors/journal/repair/rows.hpp"
#include "core/base/result.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace turnstile::repair {

/// A journal that is being made of rows, in a file beside `path` that becomes
/// `path` once it is whole. If it never does, nothing is left of it.
///
/// All but `make` and `finish` throw SQLite::Exception.
class new_journal {
public:
  /// `invalid_argument` if there is a file of that name already.
  static result<std::unique_ptr<new_journal>> make(const std::string& path);
  ~new_journal();

  new_journal(const new_journal&) = delete;

  /// Keeps a row as it is, under its number.
  void put(const std::string& table, const row& what);
  void put_memo(const std::string& key, std::int64_t work);

  /// Says under whose ownership these rows were written, how many facts there
  /// ever were, and which life is the next.
  void put_owner(std::int64_t epoch, std::int64_t facts, std::int64_t lives);

  /// Puts it where it belongs.
  status finish();

private:
  explicit new_journal(std::string path);

  void written();

  std::string path_;
  std::string part_;
  std::unique_ptr<SQLite::Database> db_;
  std::optional<SQLite::Transaction> open_;
  std::map<std::string, SQLite::Statement> inserts_;
  std::uint64_t rows_ = 0; ///< Since the last commit.
};

} // namespace turnstile::repair
