#include "core/attempt/next_step.hpp"

#include <algorithm>
#include <string>

namespace turnstile {

namespace {

next_attempt after(const retry_policy& policy, attempt_log& log,
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
  return retry_after{std::max(pause(policy, log.retries, chance),
                              error.wanted_pause.value_or(duration::zero()))};
}

next_attempt after(const retry_policy& policy, attempt_log& log,
                   const schema_mismatch& mismatch) {
  if (log.schema_retries >= policy.schema_retry_max)
    return give_up{{errc::schema_validation,
                    "output schema validation failed: " + mismatch.text}};
  ++log.schema_retries;
  return retry_after{};
}

} // namespace

next_attempt next_step(const retry_policy& policy, attempt_log& log,
                       const attempt_problem& problem, random_source& chance) {
  if (const auto* error = std::get_if<backend_error>(&problem))
    return after(policy, log, *error, chance);
  return after(policy, log, std::get<schema_mismatch>(problem));
}

} // namespace turnstile
