#pragma once

#include "core/work/limits.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace turnstile {

/// A snapshot of occupancy and of everything counted since the start. The
/// first 28 fields carry the names of the seed; `core/work/ledger.hpp` says
/// how each is derived. Durations are nanoseconds.
struct scheduler_report {
  std::uint64_t active_requests = 0;
  std::uint64_t queued_work = 0;              ///< Waiting for a branch.
  std::uint64_t prepared_work = 0;            ///< Branched, waiting for a slot.
  std::uint64_t submitted_in_flight_work = 0; ///< In a slot, may still publish.
  std::uint64_t completing_work = 0;          ///< Done in memory, not yet told.
  std::uint64_t abandoned_in_flight_work = 0; ///< In a slot, cannot publish.
  std::uint64_t failed_in_flight_work = 0; ///< Failed on some rank, not on all.
  std::uint64_t current_in_flight_work = 0; ///< Slots in use.
  std::uint64_t peak_in_flight_work = 0;
  std::uint64_t peak_queued_work = 0; ///< Peak of accepted work not ended.
  std::uint64_t submitted_work = 0;   ///< All work ever accepted.
  std::uint64_t completed_work = 0;   ///< Committed.
  std::uint64_t failed_work = 0;
  std::uint64_t discarded_work = 0; ///< Ended without ever running.
  std::uint64_t cancellation_before_submission = 0;
  std::uint64_t cancellation_after_submission = 0;
  std::uint64_t abandoned_released_work = 0; ///< Ran, could not publish, ended.
  std::uint64_t abandoned_retained_resources = 0;
  std::uint64_t peak_abandoned_retained_resources = 0;
  std::optional<std::uint64_t> last_cancellation_to_release_ns;
  std::optional<std::uint64_t> max_cancellation_to_release_ns;
  std::uint64_t finished_requests = 0;
  std::uint64_t cancelled_requests = 0;
  std::uint64_t deadline_expired_requests = 0;
  std::uint64_t drain_cycles = 0; ///< Turns that submitted something.
  std::uint64_t configured_submission_bound = 0;
  std::uint64_t configured_slice_bound = 0;
  bool poisoned = false;

  /// Requests that ended by a failure of their own: the twenty-ninth.
  std::uint64_t failed_requests = 0;

  // What the seed cannot do has fields of its own.
  std::uint64_t delayed_work = 0;     ///< Requeued, not yet due.
  std::uint64_t parked_work = 0;      ///< Submitted, its slot given back.
  std::uint64_t reclaimed_work = 0;   ///< Hung in its backend past the bound.
  std::uint64_t requeues = 0;         ///< Slots given back for another attempt.
  std::uint64_t late_completions = 0; ///< Arrived after the work's deadline.
  std::uint64_t stale_completions = 0; ///< For a work that had already ended.
  std::uint64_t ended_requests = 0;    ///< Remembered, not yet forgotten.
  std::uint64_t dropped_requests = 0;  ///< Forgotten by retention.

  friend bool operator==(const scheduler_report&,
                         const scheduler_report&) = default;
};

/// What a scheduler may do, and what it has seen of its backends.
struct scheduler_capabilities {
  scheduler_limits limits;

  /// Every backend that ever named itself on a submission, and whether its
  /// newest submission said that running work can be interrupted.
  std::map<std::string, bool, std::less<>> observed_backends;

  /// Whether every submission so far said so, and there was one (sticky).
  bool executing_work_physically_preemptible = false;

  /// In words: how long a cancellation cannot take effect.
  std::string non_preemptible_interval;

  friend bool operator==(const scheduler_capabilities&,
                         const scheduler_capabilities&) = default;
};

} // namespace turnstile
