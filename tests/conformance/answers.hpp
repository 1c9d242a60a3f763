#pragma once

#include "tests/conformance/world.hpp"

#include <iterator>
#include <string>

namespace turnstile::conformance {

/// A code as scripts write it: `unknown_request` is `UnknownRequest`.
std::string variant(errc code);

/// `error Variant`
std::string error(const failure& why);

/// Joins what `each` makes of the rows, or `-` if there are none.
template <class Rows, class Each>
std::string list(const Rows& rows, char separator, Each&& each) {
  if (std::empty(rows))
    return "-";
  std::string out;
  for (const auto& row : rows) {
    if (!out.empty())
      out += separator;
    out += each(row);
  }
  return out;
}

/// Every row of an outcome, list by list: `submitted:1/0#1 ended:1:finished`.
std::string rows_of(const world::outcome& out);

/// `ok new=N committed=LIST failed=LIST`
std::string progress(world& w, const world::outcome& out);

/// `ok`, or why not
std::string simple(world& w, const result<world::outcome>& done);

/// The progress of a turn, or why there is none, with the executor's calls.
std::string turn(world& w, const result<world::outcome>& done);

/// Appends the executor's calls.
std::string with_calls(world& w, std::string text);

} // namespace turnstile::conformance
