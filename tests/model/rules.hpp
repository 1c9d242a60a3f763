#pragma once

#include <cstdint>
#include <optional>

namespace turnstile::model {

/// The settings of one sequence, in the model's own words. Times are
/// nanoseconds.
struct rules {
  std::uint64_t requests = 5; ///< Identities that are used.
  std::uint64_t active = 4;
  std::uint64_t accepted = 16;
  std::uint64_t per_turn = 2;
  std::uint64_t slots = 4;
  std::uint64_t slots_of_one = 1;
  std::uint64_t slice = 4;
  std::uint64_t accepted_of_one = UINT64_MAX;
  std::uint64_t ended = 4;
  std::uint64_t states = 2;
  std::uint64_t exceptions = 3;
  std::uint32_t conflicts = 3;
  std::optional<std::int64_t> reclaim;
  std::optional<std::int64_t> overdue;
  bool hold = false;
  bool polled = true;
};

} // namespace turnstile::model
