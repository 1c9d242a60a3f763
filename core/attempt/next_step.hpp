#pragma once

#include "core/attempt/backend_error.hpp"
#include "core/attempt/random_source.hpp"
#include "core/attempt/retry_policy.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace turnstile {

/// How often one task was tried so far.
struct attempt_log {
  std::uint32_t attempts = 0;       ///< Calls of a backend, all counted.
  std::uint32_t retries = 0;        ///< Of these, because a backend had failed.
  std::uint32_t schema_retries = 0; ///< Because an output did not match.
};

/// An attempt succeeded, and its output is not what the task's schema wants.
struct schema_mismatch {
  std::string text; ///< In which way.
};

/// What may be wrong with an attempt.
using attempt_problem = std::variant<backend_error, schema_mismatch>;

/// The task is called again, after a pause in which it holds no slot.
struct retry_after {
  duration delay{};
};

/// The task has failed for good.
struct give_up {
  failure why;
};

using next_attempt = std::variant<retry_after, give_up>;

/// Decides what follows an attempt with a problem, and counts the retry in
/// `log`. The only place in which that is decided.
///
/// A pause is as long as the policy says, or as the backend wants if that is
/// longer. Gives up with `agent_cancelled`, with `non_retryable`, or with
/// `exhausted` when `max_retries` have failed, too; and with
/// `schema_validation` after `schema_retry_max` outputs more that do not match,
/// which are asked for without a pause. Neither counter knows of the other.
next_attempt next_step(const retry_policy& policy, attempt_log& log,
                       const attempt_problem& problem, random_source& chance);

} // namespace turnstile
