#pragma once

#include "core/attempt/backend_error.hpp"
#include "core/attempt/random_source.hpp"
#include "core/attempt/retry_policy.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <variant>

namespace turnstile {

/// How often one task was tried so far.
struct attempt_log {
  std::uint32_t attempts = 0;       ///< Calls of a backend, all counted.
  std::uint32_t retries = 0;        ///< Of these, because a backend had failed.
  std::uint32_t schema_retries = 0; ///< Because an output did not match.
};

/// The task is called again, after a pause in which it holds no slot.
struct retry_after {
  duration delay{};
};

/// The task has failed for good.
struct give_up {
  failure why;
};

using next_attempt = std::variant<retry_after, give_up>;

/// Decides what follows when a backend failed an attempt, and counts the retry
/// in `log`. The only place in which that is decided.
///
/// Gives up with `agent_cancelled`, with `non_retryable`, or with `exhausted`
/// when `max_retries` have failed, too.
next_attempt next_step(const retry_policy& policy, attempt_log& log,
                       const backend_error& error, random_source& chance);

} // namespace turnstile
