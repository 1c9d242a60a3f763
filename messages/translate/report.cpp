#include "messages/translate/report.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace turnstile {

namespace {

struct count_row {
  std::uint64_t scheduler_report::*value;
  std::uint64_t (wire::Report::*get)() const;
  void (wire::Report::*set)(std::uint64_t);
};

#define TURNSTILE_COUNT(name)                                                  \
  count_row {                                                                  \
    &scheduler_report::name, &wire::Report::name, &wire::Report::set_##name    \
  }

constexpr auto counts = std::array{
  TURNSTILE_COUNT(active_requests),
  TURNSTILE_COUNT(queued_work),
  TURNSTILE_COUNT(prepared_work),
  TURNSTILE_COUNT(submitted_in_flight_work),
  TURNSTILE_COUNT(completing_work),
  TURNSTILE_COUNT(abandoned_in_flight_work),
  TURNSTILE_COUNT(failed_in_flight_work),
  TURNSTILE_COUNT(current_in_flight_work),
  TURNSTILE_COUNT(peak_in_flight_work),
  TURNSTILE_COUNT(peak_queued_work),
  TURNSTILE_COUNT(submitted_work),
  TURNSTILE_COUNT(completed_work),
  TURNSTILE_COUNT(failed_work),
  TURNSTILE_COUNT(discarded_work),
  TURNSTILE_COUNT(cancellation_before_submission),
  TURNSTILE_COUNT(cancellation_after_submission),
  TURNSTILE_COUNT(abandoned_released_work),
  TURNSTILE_COUNT(abandoned_retained_resources),
  TURNSTILE_COUNT(peak_abandoned_retained_resources),
  TURNSTILE_COUNT(finished_requests),
  TURNSTILE_COUNT(cancelled_requests),
  TURNSTILE_COUNT(deadline_expired_requests),
  TURNSTILE_COUNT(drain_cycles),
  TURNSTILE_COUNT(configured_submission_bound),
  TURNSTILE_COUNT(configured_slice_bound),
  TURNSTILE_COUNT(failed_requests),
  TURNSTILE_COUNT(delayed_work),
  TURNSTILE_COUNT(parked_work),
  TURNSTILE_COUNT(reclaimed_work),
  TURNSTILE_COUNT(requeues),
  TURNSTILE_COUNT(late_completions),
  TURNSTILE_COUNT(stale_completions),
  TURNSTILE_COUNT(ended_requests),
  TURNSTILE_COUNT(dropped_requests),
};

#undef TURNSTILE_COUNT

} // namespace

wire::Report to_wire(const scheduler_report& report) {
  wire::Report message;
  for (const auto& row : counts)
    (message.*row.set)(report.*row.value);
  if (auto wait = report.last_cancellation_to_release_ns)
    message.set_last_cancellation_to_release_ns(*wait);
  if (auto wait = report.max_cancellation_to_release_ns)
    message.set_max_cancellation_to_release_ns(*wait);
  message.set_poisoned(report.poisoned);
  return message;
}

result<scheduler_report> from_wire(const wire::Report& message) {
  scheduler_report report;
  for (const auto& row : counts)
    report.*row.value = (message.*row.get)();
  if (message.has_last_cancellation_to_release_ns())
    report.last_cancellation_to_release_ns =
      message.last_cancellation_to_release_ns();
  if (message.has_max_cancellation_to_release_ns())
    report.max_cancellation_to_release_ns =
      message.max_cancellation_to_release_ns();
  report.poisoned = message.poisoned();
  return report;
}

} // namespace turnstile
