#include "actors/journal/journal_view.hpp"

#include "actors/journal/file_schema.hpp"

#include <filesystem>

namespace turnstile {

result<journal_view> journal_view::open(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return fail(errc::storage_failed,
                path + ": there is no journal; --journal FILE names another");
  return guard_sqlite(path, [&]() -> result<journal_view> {
    auto db =
      std::make_unique<SQLite::Database>(path, SQLite::OPEN_READONLY, 5000);
    if (db->execAndGet("PRAGMA application_id").getInt()
        != journal_application_id)
      return fail(errc::invalid_argument, path + " is no journal");
    return journal_view{path, std::move(db)};
  });
}

} // namespace turnstile
