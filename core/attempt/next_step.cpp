#include "core/attempt/next_step.hpp"

#include <string>

namespace turnstile {

next_attempt next_step(const retry_policy& policy, attempt_log& log,
                       const backend_error& error, random_source& chance) {
  if (error.kind == backend_error_kind::cancelled)
    return give_up{{errc::agent_cancelled, "agent cancelled"}};
  if (!error.retryable())
    return give_up{{errc::non_retryable,
                    "backend error (non-retryable): " + to_string(error)}};
  if (log.retries >= policy.max_retries)
    return give_up{{errc::exhausted, "backend error after "
                                       + std::to_string(log.retries + 1)
                                       + " attempts: " + to_string(error)}};
  ++log.retries;
  return retry_after{pause(policy, log.retries, chance)};
}

} // namespace turnstile
