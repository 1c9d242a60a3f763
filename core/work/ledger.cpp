#include "core/work/ledger.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <numeric>

namespace turnstile {

work_lifecycle lifecycle_of(work_place place) noexcept {
  switch (place) {
  case work_place::queued:
  case work_place::delayed:
    return work_lifecycle::queued;
  case work_place::prepared:
    return work_lifecycle::prepared;
  case work_place::in_flight:
  case work_place::parked:
  case work_place::resuming:
  case work_place::regaining:
    return work_lifecycle::submitted;
  case work_place::abandoned_in_flight:
  case work_place::abandoned_parked:
    return work_lifecycle::abandoned;
  case work_place::failed_in_flight:
    return work_lifecycle::failed;
  case work_place::completing:
  case work_place::held:
    return work_lifecycle::completing;
  }
  return work_lifecycle::failed;
}

bool holds_slot(work_place place) noexcept {
  return place == work_place::in_flight
         || place == work_place::abandoned_in_flight
         || place == work_place::failed_in_flight;
}

bool is_retained(work_place place) noexcept {
  return place == work_place::abandoned_in_flight
         || place == work_place::failed_in_flight
         || place == work_place::abandoned_parked;
}

bool is_abandoned(work_place place) noexcept {
  return place == work_place::abandoned_in_flight
         || place == work_place::abandoned_parked;
}

bool is_running(work_place place) noexcept {
  return place == work_place::in_flight || place == work_place::parked
         || place == work_place::resuming || place == work_place::regaining;
}

bool is_at_backend(work_place place) noexcept {
  return is_running(place) || is_retained(place);
}

void ledger::accept(std::uint64_t works) {
  accepted_ += works;
  in_progress_ += works;
  at_[static_cast<std::size_t>(work_place::queued)] += works;
  peak_in_progress_ = std::max(peak_in_progress_, in_progress_);
}

void ledger::move(work_place from, work_place to) {
  auto& left = at_[static_cast<std::size_t>(from)];
  TURNSTILE_CHECK(left > 0);
  --left;
  ++at_[static_cast<std::size_t>(to)];
  slots_ -= holds_slot(from) ? 1 : 0;
  slots_ += holds_slot(to) ? 1 : 0;
  peak_slots_ = std::max(peak_slots_, slots_);
}

void ledger::end(work_place from, work_end how) {
  auto& left = at_[static_cast<std::size_t>(from)];
  TURNSTILE_CHECK(left > 0);
  --left;
  ++ended_[static_cast<std::size_t>(how)];
  --in_progress_;
  slots_ -= holds_slot(from) ? 1 : 0;
}

void ledger::begin_request() {
  ++active_requests_;
}

void ledger::end_request(request_status status) {
  TURNSTILE_CHECK(active_requests_ > 0);
  --active_requests_;
  switch (status) {
  case request_status::finished:
    ++finished_requests_;
    break;
  case request_status::cancelled:
    ++cancelled_requests_;
    break;
  case request_status::deadline_exceeded:
    ++expired_requests_;
    break;
  case request_status::failed:
    ++failed_requests_;
    break;
  case request_status::active:
    TURNSTILE_CHECK(status != request_status::active);
  }
}

void ledger::release_request() {
  TURNSTILE_CHECK(active_requests_ > 0);
  --active_requests_;
}

void ledger::retain_resources(std::uint64_t before, std::uint64_t now) {
  TURNSTILE_CHECK(retained_resources_ >= before);
  retained_resources_ = retained_resources_ - before + now;
  peak_retained_resources_ =
    std::max(peak_retained_resources_, retained_resources_);
}

void ledger::released_after(duration latency) {
  auto ns = static_cast<std::uint64_t>(std::max<duration::rep>(
    latency.count(), 0)); // a caller's clock may have stepped back
  last_release_ns_ = ns;
  max_release_ns_ = std::max(max_release_ns_.value_or(0), ns);
}

std::uint64_t ledger::at(work_place place) const noexcept {
  return at_[static_cast<std::size_t>(place)];
}

std::uint64_t ledger::ended(work_end how) const noexcept {
  return ended_[static_cast<std::size_t>(how)];
}

scheduler_report ledger::report() const {
  scheduler_report r;
  r.active_requests = active_requests_;
  r.queued_work = at(work_place::queued);
  r.prepared_work = at(work_place::prepared);
  r.submitted_in_flight_work = at(work_place::in_flight);
  r.completing_work = at(work_place::completing) + at(work_place::held);
  r.abandoned_in_flight_work = at(work_place::abandoned_in_flight);
  r.failed_in_flight_work = at(work_place::failed_in_flight);
  r.current_in_flight_work = slots_;
  r.peak_in_flight_work = peak_slots_;
  r.peak_queued_work = peak_in_progress_;
  r.submitted_work = accepted_;
  r.completed_work = ended(work_end::committed);
  r.failed_work = ended(work_end::failed);
  r.discarded_work = ended(work_end::discarded);
  r.cancellation_before_submission = cancelled_before_;
  r.cancellation_after_submission = cancelled_after_;
  r.abandoned_released_work = ended(work_end::released);
  r.abandoned_retained_resources = retained_resources_;
  r.peak_abandoned_retained_resources = peak_retained_resources_;
  r.last_cancellation_to_release_ns = last_release_ns_;
  r.max_cancellation_to_release_ns = max_release_ns_;
  r.finished_requests = finished_requests_;
  r.cancelled_requests = cancelled_requests_;
  r.deadline_expired_requests = expired_requests_;
  r.drain_cycles = drain_cycles_;
  r.failed_requests = failed_requests_;
  r.delayed_work = at(work_place::delayed);
  r.parked_work = at(work_place::parked) + at(work_place::resuming)
                  + at(work_place::regaining)
                  + at(work_place::abandoned_parked);
  r.reclaimed_work = ended(work_end::reclaimed);
  r.requeues = requeues_;
  r.late_completions = late_completions_;
  r.stale_completions = stale_completions_;
  r.ended_requests = remembered_ended_;
  r.dropped_requests = dropped_requests_;
  return r;
}

void ledger::audit() const {
  auto sum = [](const auto& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  TURNSTILE_CHECK(in_progress_ == sum(at_));
  TURNSTILE_CHECK(accepted_ == in_progress_ + sum(ended_));
  TURNSTILE_CHECK(slots_
                  == at(work_place::in_flight)
                       + at(work_place::abandoned_in_flight)
                       + at(work_place::failed_in_flight));
  TURNSTILE_CHECK(peak_slots_ >= slots_);
  TURNSTILE_CHECK(peak_in_progress_ >= in_progress_);
}

} // namespace turnstile
