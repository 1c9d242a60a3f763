#pragma once

#include "actors/journal/page_check.hpp"
#include "core/base/result.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <string>
#include <utility>

namespace turnstile {

/// What an error of SQLite's means for whoever has a journal at `path`.
failure sqlite_failure(const SQLite::Exception& why, const std::string& path);

/// Runs `body`, and turns an exception of SQLite's into a failure. A bad page
/// that was met before and hurt nobody is not the reason of what fails now.
template <class Body>
auto guard_sqlite(const std::string& path, Body body) -> decltype(body()) {
  static_cast<void>(take_bad_page());
  try {
    return body();
  } catch (const SQLite::Exception& why) {
    return fail(sqlite_failure(why, path));
  }
}

} // namespace turnstile
