#pragma once

#include "core/consensus/group_terms.hpp"

#include <cstdint>

namespace turnstile {

/// How the leader opens a turn for all. Its commands travel beside it.
struct turn_opening {
  group_terms terms;
  std::uint64_t round = 1; ///< The number of the turn's first round.

  /// Whether it forms the group under `terms.epoch`, which is no turn.
  bool forms = false;

  friend bool operator==(const turn_opening&, const turn_opening&) = default;
};

} // namespace turnstile
