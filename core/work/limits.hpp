#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <limits>

namespace turnstile {

/// How much the scheduler takes on. Counts of whole items; zero is never valid
/// and `unlimited` says that a bound is off.
struct scheduler_limits {
  static constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

  /// Requests that may own canonical state at the same time.
  std::uint64_t max_active_requests = 64;

  /// Accepted works that have not ended, over all requests.
  std::uint64_t max_queued_work = 256;

  /// Works that one turn may hand to backends.
  std::uint64_t max_new_submissions_per_turn = 1;

  /// Works that backends may hold at the same time: the slots.
  std::uint64_t max_in_flight_global = 64;

  /// Works of one request that may be prepared or hold a slot.
  std::uint64_t max_in_flight_per_request = 1;

  /// Program-defined non-preemptible operations that one work may need.
  std::uint64_t execution_slice = unlimited;

  /// Accepted works of one request that have not ended (decision T14).
  std::uint64_t max_queued_per_request = unlimited;

  /// Conservative bounds for so many requests and works: one submission per
  /// turn, as many slots as requests, one in flight per request.
  static scheduler_limits of(std::uint64_t max_active_requests,
                             std::uint64_t max_queued_work);

  friend bool operator==(const scheduler_limits&,
                         const scheduler_limits&) = default;
};

/// Returns `limits` unchanged, or `errc::invalid_limits` naming every field
/// that is zero.
result<scheduler_limits> validate(const scheduler_limits& limits);

} // namespace turnstile
