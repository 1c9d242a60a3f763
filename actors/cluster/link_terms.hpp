#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <chrono>

namespace turnstile {

/// How long the two ends of a connection wait for each other.
///
/// A worker that was cut off must have stopped everything before its server
/// gives its works to another one. So it stops when it has heard nothing for
/// `lease()`, and the server waits for `lost_after`: what is between them is
/// the time that killing may take.
struct link_terms {
  /// After so long a silence a peer counts as lost.
  duration lost_after = std::chrono::seconds{5};

  /// After a connection has broken, its works are given to others no sooner: at
  /// the other end, too, it takes a moment to notice and to kill.
  duration settle = std::chrono::milliseconds{50};

  [[nodiscard]] duration lease() const { return lost_after / 5 * 3; }

  /// So often each side says something.
  [[nodiscard]] duration beat() const { return lost_after / 5; }
};

/// Returns `terms` unchanged, or says which of them is senseless.
inline result<link_terms> validate(const link_terms& terms) {
  if (terms.lost_after < std::chrono::milliseconds{100})
    return fail(errc::invalid_argument, "lost_after must be 100ms or longer");
  if (terms.settle < duration::zero() || terms.settle > terms.lost_after)
    return fail(errc::invalid_argument,
                "settle must be from zero to lost_after");
  return terms;
}

} // namespace turnstile
