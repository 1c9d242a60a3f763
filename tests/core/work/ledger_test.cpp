#include "core/work/ledger.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

#include <array>
#include <random>

using namespace turnstile;

namespace {

constexpr auto places = std::to_array<work_place>({
  work_place::queued,
  work_place::delayed,
  work_place::prepared,
  work_place::in_flight,
  work_place::abandoned_in_flight,
  work_place::failed_in_flight,
  work_place::parked,
  work_place::resuming,
  work_place::regaining,
  work_place::abandoned_parked,
  work_place::completing,
  work_place::held,
});
static_assert(places.size() == work_places);

} // namespace

TEST_CASE("ledger counts a work at one place at a time", "[core][work]") {
  ledger counts;
  counts.accept(3);

  counts.move(work_place::queued, work_place::prepared);
  counts.move(work_place::prepared, work_place::in_flight);
  counts.audit();

  CHECK(counts.at(work_place::queued) == 2);
  CHECK(counts.at(work_place::prepared) == 0);
  CHECK(counts.at(work_place::in_flight) == 1);
  CHECK(counts.slots_in_use() == 1);
  CHECK(counts.in_progress() == 3);
}

TEST_CASE("ledger puts every ended work into one bucket", "[core][work]") {
  auto [how, field] =
    GENERATE(table<work_end, std::uint64_t scheduler_report::*>({
      {work_end::committed, &scheduler_report::completed_work},
      {work_end::failed, &scheduler_report::failed_work},
      {work_end::discarded, &scheduler_report::discarded_work},
      {work_end::released, &scheduler_report::abandoned_released_work},
      {work_end::reclaimed, &scheduler_report::reclaimed_work},
    }));
  ledger counts;
  counts.accept(2);

  counts.end(work_place::queued, how);
  counts.audit();

  const auto report = counts.report();
  CHECK(report.*field == 1);
  CHECK(report.completed_work + report.failed_work + report.discarded_work
          + report.abandoned_released_work + report.reclaimed_work
        == 1);
  CHECK(counts.in_progress() == 1);
  CHECK(report.submitted_work == 2);
}

TEST_CASE("ledger remembers its peaks", "[core][work]") {
  ledger counts;
  counts.accept(2);
  counts.move(work_place::queued, work_place::prepared);
  counts.move(work_place::prepared, work_place::in_flight);
  counts.end(work_place::in_flight, work_end::committed);
  counts.end(work_place::queued, work_end::discarded);
  counts.accept(1);

  const auto report = counts.report();

  CHECK(report.peak_queued_work == 2);
  CHECK(report.peak_in_flight_work == 1);
  CHECK(report.current_in_flight_work == 0);
}

TEST_CASE("ledger moves the peak of what abandoned works retain at once",
          "[core][work]") {
  ledger counts;
  counts.retain_resources(0, 5);
  counts.retain_resources(5, 9);
  counts.retain_resources(9, 2);

  CHECK(counts.report().abandoned_retained_resources == 2);
  CHECK(counts.report().peak_abandoned_retained_resources == 9);
}

TEST_CASE("ledger remembers the last and the greatest time to a release",
          "[core][work]") {
  ledger counts;
  CHECK(counts.report().last_cancellation_to_release_ns == std::nullopt);

  counts.released_after(duration{50});
  counts.released_after(duration{20});
  counts.released_after(duration{-3}); // a clock that stepped back

  CHECK(counts.report().last_cancellation_to_release_ns == 0u);
  CHECK(counts.report().max_cancellation_to_release_ns == 50u);
}

TEST_CASE("ledger counts requests by the status they end with",
          "[core][work]") {
  auto [status, field] =
    GENERATE(table<request_status, std::uint64_t scheduler_report::*>({
      {request_status::finished, &scheduler_report::finished_requests},
      {request_status::cancelled, &scheduler_report::cancelled_requests},
      {request_status::deadline_exceeded,
       &scheduler_report::deadline_expired_requests},
      {request_status::failed, &scheduler_report::failed_requests},
    }));
  ledger counts;
  counts.begin_request();
  counts.begin_request();

  counts.end_request(status);

  CHECK(counts.report().*field == 1);
  CHECK(counts.active_requests() == 1);
}

TEST_CASE("ledger counts no work or request below zero", "[core][work]") {
  checks_throw guard;
  ledger counts;

  CHECK_THROWS_AS(counts.end(work_place::queued, work_end::failed),
                  broken_invariant);
  CHECK_THROWS_AS(counts.move(work_place::queued, work_place::prepared),
                  broken_invariant);
  CHECK_THROWS_AS(counts.end_request(request_status::failed), broken_invariant);
  CHECK_THROWS_AS(counts.release_request(), broken_invariant);
  CHECK_THROWS_AS(counts.retain_resources(1, 0), broken_invariant);
  counts.begin_request();
  CHECK_THROWS_AS(counts.end_request(request_status::active), broken_invariant);
}

TEST_CASE("work_place says what callers see and who holds a slot",
          "[core][work]") {
  using enum work_place;
  using lifecycle = work_lifecycle;
  auto [place, seen, slot, retained, running] =
    GENERATE(table<work_place, lifecycle, bool, bool, bool>({
      {queued, lifecycle::queued, false, false, false},
      {delayed, lifecycle::queued, false, false, false},
      {prepared, lifecycle::prepared, false, false, false},
      {in_flight, lifecycle::submitted, true, false, true},
      {abandoned_in_flight, lifecycle::abandoned, true, true, false},
      {failed_in_flight, lifecycle::failed, true, true, false},
      {parked, lifecycle::submitted, false, false, true},
      {resuming, lifecycle::submitted, false, false, true},
      {regaining, lifecycle::submitted, false, false, true},
      {abandoned_parked, lifecycle::abandoned, false, true, false},
      {completing, lifecycle::completing, false, false, false},
      {held, lifecycle::completing, false, false, false},
    }));
  CAPTURE(static_cast<int>(place));
  CHECK(lifecycle_of(place) == seen);
  CHECK(holds_slot(place) == slot);
  CHECK(is_retained(place) == retained);
  CHECK(is_running(place) == running);
  CHECK(is_abandoned(place)
        == (place == abandoned_in_flight || place == abandoned_parked));
}

TEST_CASE("ledger's books balance after every step", "[core][work]") {
  std::mt19937 random{5};
  ledger counts;

  for (int step = 0; step < 20'000; ++step) {
    const auto from = places[random() % places.size()];
    if (counts.at(from) == 0)
      counts.accept(random() % 3);
    else if (random() % 2 == 0)
      counts.move(from, places[random() % places.size()]);
    else
      counts.end(from, static_cast<work_end>(random() % work_ends));
    counts.audit();
  }
  CHECK(counts.report().submitted_work > 1'000);
}
