#include "core/attempt/backend_gate.hpp"

#include "core/attempt/retry_policy.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace turnstile {

result<gate_policy> validate(const gate_policy& policy) {
  auto refuse = [](const char* field, const char* must) {
    return fail(errc::invalid_argument, std::string{field} + " must " + must);
  };
  if (policy.concurrency && *policy.concurrency == 0)
    return refuse("concurrency", "be positive; leave it out for any number");
  if (policy.first_rest <= duration::zero())
    return refuse("first_rest", "be positive; with rest_after 0 none rests");
  if (policy.max_rest < policy.first_rest)
    return refuse("max_rest", "not be shorter than first_rest");
  if (!std::isfinite(policy.multiplier) || policy.multiplier < 1.0)
    return refuse("multiplier", "be at least 1");
  return policy;
}

void backend_gate::renew(const gate_policy& policy) {
  policy_ = policy;
  failed_starts_ = 0;
  rest_ = duration::zero();
  closed_until_.reset();
  probe_is_out_ = false;
  ++season_;
}

bool backend_gate::is_full() const {
  return policy_.closed
         || (policy_.concurrency && passed_ >= *policy_.concurrency);
}

bool backend_gate::is_open(instant now) const {
  return !is_full() && !probe_is_out_
         && (!closed_until_ || *closed_until_ <= now);
}

backend_gate::pass backend_gate::enter() {
  closed_until_.reset();
  ++passed_;
  probe_is_out_ = rests();
  return {season_, probe_is_out_};
}

void backend_gate::leave(const pass& which) {
  --passed_;
  if (which.probe && which.season == season_)
    probe_is_out_ = false;
}

void backend_gate::leave(const pass& which, const backend_news& news,
                         instant now) {
  leave(which);
  if (news.retry_after) {
    const auto until = later(now, std::max(*news.retry_after, duration{}));
    closed_until_ = std::max(closed_until_.value_or(until), until);
  }
  if (which.season != season_)
    return;
  if (news.failed_to_start)
    return note_failed_start(which, now);
  failed_starts_ = 0;
  rest_ = duration::zero();
}

void backend_gate::note_failed_start(const pass& which, instant now) {
  ++failed_starts_;
  const auto tired =
    policy_.rest_after > 0 && failed_starts_ >= policy_.rest_after;
  if (!which.probe && !tired)
    return;
  rest_ = !which.probe
            ? policy_.first_rest
            : backoff({0, rest_, policy_.multiplier, policy_.max_rest}, 2);
  ++season_;
  const auto until = later(now, rest_);
  closed_until_ = std::max(closed_until_.value_or(until), until);
}

std::optional<instant> backend_gate::opens_at(instant now) const {
  if (is_full() || probe_is_out_ || !closed_until_ || *closed_until_ <= now)
    return std::nullopt;
  return closed_until_;
}

} // namespace turnstile
