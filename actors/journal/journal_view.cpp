#include "actors/journal/journal_view.hpp"

#include "actors/journal/file_schema.hpp"

#include <filesystem>
#include <unistd.h>

namespace turnstile {

result<journal_view> journal_view::open(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return fail(errc::storage_failed,
                path + ": there is no journal; --journal FILE names another");
  return guard_sqlite(path, [&]() -> result<journal_view> {
    // What an owner that was killed has left half done is undone by whoever
    // comes first, which takes the right to write.
    const auto may_write = ::access(path.c_str(), W_OK) == 0;
    auto db = std::make_unique<SQLite::Database>(
      path, may_write ? SQLite::OPEN_READWRITE : SQLite::OPEN_READONLY, 5000);
    db->exec("PRAGMA query_only = ON");
    if (db->execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0)
      return fail(errc::storage_failed, path + ": nothing is in it yet");
    if (db->execAndGet("PRAGMA application_id").getInt()
        != journal_application_id)
      return fail(errc::invalid_argument, path + " is no journal");
    return journal_view{path, std::move(db)};
  });
}

} // namespace turnstile
