#pragma once

#include "core/attempt/random_source.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <chrono>
#include <cstdint>

namespace turnstile {

/// Whether pauses between attempts are drawn by chance, so that tasks that
/// failed together do not come back together.
enum class jitter_kind : std::uint8_t {
  none = 1, ///< Every pause is exactly its backoff.
  full = 2, ///< Every pause is drawn from zero to its backoff.
};

/// How often and how patiently a task is tried again. A task is called at most
/// `1 + max_retries + schema_retry_max` times (decision A5).
struct retry_policy {
  std::uint32_t max_retries = 2; ///< Beside the first try.
  duration initial_backoff = std::chrono::milliseconds{500};
  double multiplier = 2.0; ///< Of the pause, from retry to retry.
  duration max_backoff = std::chrono::seconds{10};
  jitter_kind jitter = jitter_kind::full;
  std::uint32_t schema_retry_max = 3; ///< For outputs against their schema.

  friend bool operator==(const retry_policy&, const retry_policy&) = default;
};

/// Returns `policy` unchanged, or says which field is senseless: a negative
/// pause, or a multiplier that is negative or no number.
result<retry_policy> validate(const retry_policy& policy);

/// The pause before the `retry`-th retry, from 1, without jitter:
/// `initial * multiplier^(retry - 1)`, from zero to `max_backoff`. Retry 0
/// counts as 1. Of a policy that `validate` refuses, what is less than nothing
/// counts as zero and what is no number as `max_backoff`.
duration backoff(const retry_policy& policy, std::uint32_t retry);

/// The pause before the `retry`-th retry, with the policy's jitter.
duration pause(const retry_policy& policy, std::uint32_t retry,
               random_source& chance);

} // namespace turnstile
