#pragma once

#include "core/base/result.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <string>
#include <utility>

namespace turnstile {

/// What an error of SQLite's means for whoever has a journal at `path`.
failure sqlite_failure(const SQLite::Exception& why, const std::string& path);

/// Runs `body`, and turns an exception of SQLite's into a failure.
template <class Body>
auto guard_sqlite(const std::string& path, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const SQLite::Exception& why) {
    return fail(sqlite_failure(why, path));
  }
}

} // namespace turnstile
