#pragma once

#include <chrono>

namespace turnstile {

/// The clock that core is told: it has a type, so that its instants cannot be
/// mixed up with those of a real clock, and deliberately no `now()`. What its
/// epoch means is the caller's business, as long as time never runs backwards.
struct told_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<told_clock, duration>;
  static constexpr bool is_steady = true;
};

using instant = told_clock::time_point;
using duration = told_clock::duration;

/// A hundred years: longer than anybody waits, and within the reach of any
/// clock. Spans from outside are bounded by it.
inline constexpr duration longest_span = std::chrono::hours{36'500 * 24};

/// Returns the instant `after` past `from`, or the last one there is. A caller
/// may well say "never" with the greatest duration. @pre `after` >= 0
constexpr instant later(instant from, duration after) noexcept {
  return from > instant::max() - after ? instant::max() : from + after;
}

} // namespace turnstile
