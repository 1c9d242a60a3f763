#include "core/attempt/retry_policy.hpp"

#include <algorithm>
#include <cmath>

namespace turnstile {

result<retry_policy> validate(const retry_policy& policy) {
  if (policy.initial_backoff < duration::zero())
    return fail(errc::invalid_argument, "initial_backoff must not be negative");
  if (policy.max_backoff < duration::zero())
    return fail(errc::invalid_argument, "max_backoff must not be negative");
  if (!(policy.multiplier >= 0.0) || std::isinf(policy.multiplier))
    return fail(errc::invalid_argument,
                "multiplier must be a number that is not negative");
  return policy;
}

duration backoff(const retry_policy& policy, std::uint32_t retry) {
  const auto first = policy.initial_backoff;
  const auto most = std::max(policy.max_backoff, duration::zero());
  if (first <= duration::zero())
    return duration::zero(); // times infinity, it would be no number
  const auto exponent = retry == 0 ? 0.0 : static_cast<double>(retry - 1);
  const auto exact =
    static_cast<double>(first.count()) * std::pow(policy.multiplier, exponent);
  if (!(exact < static_cast<double>(most.count()))) // also if it is no number
    return most;
  return duration{static_cast<duration::rep>(std::max(exact, 0.0))};
}

duration pause(const retry_policy& policy, std::uint32_t retry,
               random_source& chance) {
  const auto whole = backoff(policy, retry);
  if (policy.jitter == jitter_kind::none)
    return whole;
  return duration{static_cast<duration::rep>(static_cast<double>(whole.count())
                                             * chance.draw_unit())};
}

} // namespace turnstile
