#include "core/work/limits.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

TEST_CASE("scheduler_limits default to one branch a request and one "
          "submission a turn",
          "[core][work]") {
  scheduler_limits limits;
  CHECK(limits.max_active_requests == 64);
  CHECK(limits.max_queued_work == 256);
  CHECK(limits.max_new_submissions_per_turn == 1);
  CHECK(limits.max_in_flight_global == 64);
  CHECK(limits.max_in_flight_per_request == 1);
  CHECK(limits.execution_slice == scheduler_limits::unlimited);
  CHECK(limits.max_queued_per_request == scheduler_limits::unlimited);
}

TEST_CASE("scheduler_limits of so many requests have as many slots",
          "[core][work]") {
  auto limits = scheduler_limits::of(5, 9);
  CHECK(limits.max_active_requests == 5);
  CHECK(limits.max_queued_work == 9);
  CHECK(limits.max_in_flight_global == 5);
  CHECK(limits.max_new_submissions_per_turn == 1);
}

TEST_CASE("validate names the limit that is zero", "[core][work]") {
  auto [field,
        name] = GENERATE(table<std::uint64_t scheduler_limits::*, std::string>({
    {&scheduler_limits::max_active_requests, "max_active_requests"},
    {&scheduler_limits::max_queued_work, "max_queued_work"},
    {&scheduler_limits::max_new_submissions_per_turn,
     "max_new_submissions_per_turn"},
    {&scheduler_limits::max_in_flight_global, "max_in_flight_global"},
    {&scheduler_limits::max_in_flight_per_request, "max_in_flight_per_request"},
    {&scheduler_limits::execution_slice, "execution_slice"},
    {&scheduler_limits::max_queued_per_request, "max_queued_per_request"},
  }));
  CAPTURE(name);
  scheduler_limits limits;
  limits.*field = 0;

  auto checked = validate(limits);

  REQUIRE_FALSE(checked);
  CHECK(checked.error().code == errc::invalid_limits);
  CHECK(checked.error().detail.rfind(name + " must be positive", 0) == 0);
}

TEST_CASE("validate names every limit that is zero", "[core][work]") {
  scheduler_limits limits;
  limits.max_active_requests = 0;
  limits.execution_slice = 0;

  auto checked = validate(limits);

  REQUIRE_FALSE(checked);
  CHECK(checked.error().detail.rfind("max_active_requests, execution_slice", 0)
        == 0);
}

TEST_CASE("validate returns good limits as they are", "[core][work]") {
  auto limits = scheduler_limits::of(1, 1);
  CHECK(*validate(limits) == limits);
}
