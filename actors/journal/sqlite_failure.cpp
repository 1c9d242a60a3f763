#include "actors/journal/sqlite_failure.hpp"

#include "actors/journal/page_check.hpp"
#include "actors/journal/way_out.hpp"

#include <sqlite3.h>

namespace turnstile {

failure sqlite_failure(const SQLite::Exception& why, const std::string& path) {
  const std::string text = why.what();
  if (const auto page = take_bad_page())
    return {errc::journal_damaged, path + ": page " + std::to_string(*page)
                                     + " is not what was written"
                                     + way_out(path)};
  // The memory that connections share is a file, too, and SQLite says of it
  // only that it cannot be made larger.
  const auto code = why.getExtendedErrorCode() == SQLITE_IOERR_SHMSIZE
                      ? SQLITE_FULL
                      : why.getErrorCode() & 0xff;
  switch (code) {
  case SQLITE_FULL:
    return {errc::storage_full,
            path + ": no space is left; free some, and it goes on by itself"};
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return {errc::journal_damaged, path + ": " + text + way_out(path)};
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return {errc::storage_failed,
            path + ": another process keeps it locked for too long"};
  case SQLITE_READONLY:
  case SQLITE_PERM:
  case SQLITE_CANTOPEN:
    return {errc::storage_failed,
            path + ": it cannot be opened for writing: " + text};
  default:
    return {errc::storage_failed, path + ": " + text};
  }
}

} // namespace turnstile
