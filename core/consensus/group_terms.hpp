#pragma once

#include "core/base/time.hpp"

#include <cstdint>

namespace turnstile {

/// On what terms the ranks of a group hold one turn.
struct group_terms {
  std::uint64_t protocol = 0; ///< The program's; agreed on out of band.
  std::uint64_t epoch = 0;    ///< The group's formation: see `reform`.

  /// The group's time, as its leader told all ranks when it opened the turn
  /// (`group_clock`). Whatever the turn decides by time, it decides by this
  /// (decision R4). One that lies before an earlier turn's counts as that.
  instant clock;

  /// As the seed: each rank goes by its own clock, the second round is held
  /// even if there is nothing to agree on, and what fails on one rank only
  /// while it prepares or commits is known there only (not decision R5).
  bool seed_rules = false;

  friend bool operator==(const group_terms&, const group_terms&) = default;
};

} // namespace turnstile
