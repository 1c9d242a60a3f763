#include "tests/conformance/report_fields.hpp"

#include <optional>

namespace turnstile::conformance {

std::vector<std::pair<std::string_view, std::string>>
fields_of(const scheduler_report& r) {
  std::vector<std::pair<std::string_view, std::string>> fields;
  auto put = [&](std::string_view name, std::optional<std::uint64_t> value) {
    fields.emplace_back(name, value ? std::to_string(*value) : "-");
  };
  put("active_requests", r.active_requests);
  put("queued_work", r.queued_work);
  put("prepared_work", r.prepared_work);
  put("submitted_in_flight_work", r.submitted_in_flight_work);
  put("completing_work", r.completing_work);
  put("abandoned_in_flight_work", r.abandoned_in_flight_work);
  put("failed_in_flight_work", r.failed_in_flight_work);
  put("current_in_flight_work", r.current_in_flight_work);
  put("peak_in_flight_work", r.peak_in_flight_work);
  put("peak_queued_work", r.peak_queued_work);
  put("submitted_work", r.submitted_work);
  put("completed_work", r.completed_work);
  put("failed_work", r.failed_work);
  put("discarded_work", r.discarded_work);
  put("cancellation_before_submission", r.cancellation_before_submission);
  put("cancellation_after_submission", r.cancellation_after_submission);
  put("abandoned_released_work", r.abandoned_released_work);
  put("abandoned_retained_resources", r.abandoned_retained_resources);
  put("peak_abandoned_retained_resources", r.peak_abandoned_retained_resources);
  put("last_cancellation_to_release_ns", r.last_cancellation_to_release_ns);
  put("max_cancellation_to_release_ns", r.max_cancellation_to_release_ns);
  put("finished_requests", r.finished_requests);
  put("cancelled_requests", r.cancelled_requests);
  put("deadline_expired_requests", r.deadline_expired_requests);
  put("drain_cycles", r.drain_cycles);
  put("configured_submission_bound", r.configured_submission_bound);
  put("configured_slice_bound", r.configured_slice_bound);
  put("poisoned", r.poisoned ? 1 : 0);
  // From here on, ours.
  put("failed_requests", r.failed_requests);
  put("delayed_work", r.delayed_work);
  put("parked_work", r.parked_work);
  put("reclaimed_work", r.reclaimed_work);
  put("requeues", r.requeues);
  put("late_completions", r.late_completions);
  put("stale_completions", r.stale_completions);
  put("ended_requests", r.ended_requests);
  put("dropped_requests", r.dropped_requests);
  return fields;
}

} // namespace turnstile::conformance
