#include "messages/translate/deadline.hpp"

#include "messages/translate/refusal.hpp"

namespace turnstile {

namespace {

using scope = deadline_policy::scope;
using until = deadline_policy::until;

result<scope> scope_from(wire::DeadlineScope number, scope if_open,
                         std::string_view field) {
  switch (number) {
  case wire::DEADLINE_SCOPE_UNSPECIFIED:
    return if_open;
  case wire::DEADLINE_SCOPE_REQUEST:
    return scope::request;
  case wire::DEADLINE_SCOPE_WORK:
    return scope::work;
  default:
    return unknown_number(inside(field, "scope"), number, "DeadlineScope");
  }
}

result<until> until_from(wire::DeadlineEnforcement number, until if_open,
                         std::string_view field) {
  switch (number) {
  case wire::DEADLINE_ENFORCEMENT_UNSPECIFIED:
    return if_open;
  case wire::DEADLINE_ENFORCEMENT_UNTIL_SUBMISSION:
    return until::submission;
  case wire::DEADLINE_ENFORCEMENT_UNTIL_COMMIT:
    return until::commit;
  default:
    return unknown_number(inside(field, "enforcement"), number,
                          "DeadlineEnforcement");
  }
}

} // namespace

std::int64_t remaining_ns(instant at, instant now) noexcept {
  auto from = now.time_since_epoch();
  auto to = at.time_since_epoch();
  if (from < duration::zero() && to > duration::max() + from)
    return duration::max().count();
  if (from > duration::zero() && to < duration::min() + from)
    return duration::min().count();
  return (to - from).count();
}

instant due_at(std::int64_t remaining_ns, instant now) noexcept {
  auto since = now.time_since_epoch();
  auto remaining = duration{remaining_ns};
  if (remaining > duration::zero() && since > duration::max() - remaining)
    return instant::max();
  if (remaining < duration::zero() && since < duration::min() - remaining)
    return instant::min();
  return now + remaining;
}

wire::Deadline to_wire(const work_options& options, instant now) {
  wire::Deadline message;
  if (options.deadline)
    message.set_remaining_ns(remaining_ns(*options.deadline, now));
  message.set_scope(options.policy.ends == scope::work
                      ? wire::DEADLINE_SCOPE_WORK
                      : wire::DEADLINE_SCOPE_REQUEST);
  message.set_enforcement(options.policy.lasts == until::commit
                            ? wire::DEADLINE_ENFORCEMENT_UNTIL_COMMIT
                            : wire::DEADLINE_ENFORCEMENT_UNTIL_SUBMISSION);
  return message;
}

result<work_options> from_wire(const wire::Deadline& message, instant now,
                               const deadline_policy& defaults,
                               std::string_view field) {
  auto ends = scope_from(message.scope(), defaults.ends, field);
  if (!ends)
    return fail(ends.error());
  auto lasts = until_from(message.enforcement(), defaults.lasts, field);
  if (!lasts)
    return fail(lasts.error());
  work_options options;
  if (message.has_remaining_ns())
    options.deadline = due_at(message.remaining_ns(), now);
  options.policy = {*ends, *lasts};
  return options;
}

} // namespace turnstile
