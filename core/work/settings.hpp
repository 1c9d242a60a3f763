#pragma once

#include "core/base/time.hpp"
#include "core/work/limits.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// How long the scheduler remembers what has ended, so that its memory is
/// bounded by live work plus this.
struct retention {
  /// Ended requests whose status and lifecycles stay answerable. The oldest
  /// is dropped first, but never one that still has retained work, nor one
  /// whose end the newest outcome tells. Poison keeps all of them.
  std::uint64_t max_ended_requests = 1024;

  /// Last states of ended requests that nobody took yet. The oldest is dropped
  /// first, but none of an end that the newest outcome tells. Poison keeps all
  /// of them.
  std::uint64_t max_retained_states = 16;

  /// Ranges of works in one life that ended otherwise than committed. The
  /// lowest is forgotten first, and everything below it with it.
  std::uint64_t max_exceptions_per_request = 65536;

  friend bool operator==(const retention&, const retention&) = default;
};

/// Everything a scheduler is built from. Zero limits are refused.
struct scheduler_settings {
  scheduler_limits limits;
  retention keep;

  /// How often a work whose commit conflicts is queued again on the new base
  /// before it fails alone (decision T4).
  std::uint32_t max_conflicts = 3;

  /// After this long, abandoned work that its backend never ends gives its
  /// slot back and counts as reclaimed (decision T12). Nothing: it waits for
  /// its exact completion for ever.
  std::optional<duration> reclaim_after;

  /// After this long, abandoned work is told once as overdue, so that somebody
  /// can look at its backend. Nothing: never.
  std::optional<duration> overdue_after;

  /// Whether ends are told only once `durable()` says that a journal has them
  /// (decision T21). False: there is no journal, and they are told at once.
  bool hold_until_durable = false;

  /// The number of the first life that begins here. With a journal, one that
  /// no earlier scheduler has used.
  std::uint64_t first_life = 0;

  friend bool operator==(const scheduler_settings&,
                         const scheduler_settings&) = default;
};

} // namespace turnstile
