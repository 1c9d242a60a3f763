#pragma once

#include "core/work/report.hpp"
#include "tests/model/rules.hpp"

#include <string>

namespace turnstile::model {

inline std::string text(const scheduler_report& r) {
  std::string out = "report";
  auto put = [&](const char* name, auto value) {
    if (value != 0)
      out.append(" ").append(name).append("=").append(std::to_string(value));
  };
  auto put_ns = [&](const char* name, const auto& value) {
    if (value)
      out.append(" ").append(name).append("=").append(std::to_string(*value));
  };
#define TURNSTILE_PUT(field) put(#field, r.field)
  TURNSTILE_PUT(active_requests);
  TURNSTILE_PUT(queued_work);
  TURNSTILE_PUT(prepared_work);
  TURNSTILE_PUT(submitted_in_flight_work);
  TURNSTILE_PUT(completing_work);
  TURNSTILE_PUT(abandoned_in_flight_work);
  TURNSTILE_PUT(failed_in_flight_work);
  TURNSTILE_PUT(current_in_flight_work);
  TURNSTILE_PUT(peak_in_flight_work);
  TURNSTILE_PUT(peak_queued_work);
  TURNSTILE_PUT(submitted_work);
  TURNSTILE_PUT(completed_work);
  TURNSTILE_PUT(failed_work);
  TURNSTILE_PUT(discarded_work);
  TURNSTILE_PUT(cancellation_before_submission);
  TURNSTILE_PUT(cancellation_after_submission);
  TURNSTILE_PUT(abandoned_released_work);
  TURNSTILE_PUT(abandoned_retained_resources);
  TURNSTILE_PUT(peak_abandoned_retained_resources);
  TURNSTILE_PUT(finished_requests);
  TURNSTILE_PUT(cancelled_requests);
  TURNSTILE_PUT(deadline_expired_requests);
  TURNSTILE_PUT(drain_cycles);
  TURNSTILE_PUT(failed_requests);
  TURNSTILE_PUT(delayed_work);
  TURNSTILE_PUT(parked_work);
  TURNSTILE_PUT(reclaimed_work);
  TURNSTILE_PUT(requeues);
  TURNSTILE_PUT(late_completions);
  TURNSTILE_PUT(stale_completions);
  TURNSTILE_PUT(ended_requests);
  TURNSTILE_PUT(dropped_requests);
#undef TURNSTILE_PUT
  put("poisoned", r.poisoned ? 1 : 0);
  put_ns("last_cancellation_to_release_ns", r.last_cancellation_to_release_ns);
  put_ns("max_cancellation_to_release_ns", r.max_cancellation_to_release_ns);
  return out + '\n';
}

inline std::string text(const rules& r) {
  std::string out = "rules";
  auto put = [&](const char* name, auto value) {
    out.append(" ").append(name).append("=").append(std::to_string(value));
  };
  put("requests", r.requests);
  put("active", r.active);
  put("accepted", r.accepted);
  put("per_turn", r.per_turn);
  put("slots", r.slots);
  put("slots_of_one", r.slots_of_one);
  put("slice", r.slice);
  if (r.accepted_of_one != UINT64_MAX)
    put("accepted_of_one", r.accepted_of_one);
  put("ended", r.ended);
  put("states", r.states);
  put("exceptions", r.exceptions);
  put("conflicts", r.conflicts);
  if (r.reclaim)
    put("reclaim", *r.reclaim);
  if (r.overdue)
    put("overdue", *r.overdue);
  put("hold", r.hold);
  return out + '\n';
}

} // namespace turnstile::model
