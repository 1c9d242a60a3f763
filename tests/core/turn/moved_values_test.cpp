#include "tests/catch.hpp"
#include "tests/core/turn/parcel_program.hpp"

using namespace turnstile;

namespace {

parcel_scheduler with_room(std::uint64_t works) {
  scheduler_settings settings;
  settings.limits.max_queued_work = works;
  return *parcel_scheduler::create(settings);
}

} // namespace

TEST_CASE("scheduler hands work and output back with the commit",
          "[core][turn]") {
  auto scheduler = with_room(8);
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, parcel("tea"));
  REQUIRE(scheduler.run_local_turn(at(1), deliver));

  auto out = scheduler.complete(id, no_outcome{}, at(2));

  REQUIRE(out.committed.size() == 1);
  CHECK(*out.committed[0].work.content == "tea");
  REQUIRE(out.committed[0].output);
  CHECK(*out.committed[0].output->receipt == "receipt of 1/0");
  CHECK(*scheduler.request_state(alice)->delivered == "tea");
}

TEST_CASE("scheduler hands every work back, however it ends", "[core][turn]") {
  auto scheduler = with_room(8);
  REQUIRE(scheduler.register_request(alice, {}));
  std::vector<parcels::work_type> batch;
  for (const auto* content : {"tea", "milk"})
    batch.push_back(parcel(content));
  auto ids = *scheduler.enqueue_batch(alice, std::move(batch));
  REQUIRE(scheduler.run_local_turn(at(1), deliver));

  auto out = scheduler.complete(ids[0], fail(errc::completion, "lost"), at(2));

  REQUIRE(out.failed.size() == 1);
  CHECK(*out.failed[0].work.content == "tea");
  CHECK(to_string(out.failed[0].why) == "completion: lost");
  REQUIRE(out.dropped.size() == 1);
  CHECK(*out.dropped[0].work.content == "milk");
}

TEST_CASE("scheduler leaves a refused work to its caller", "[core][turn]") {
  auto scheduler = with_room(1);
  REQUIRE(scheduler.register_request(alice, {}));
  auto tea = parcel("tea");
  CHECK_FALSE(scheduler.enqueue(bob, std::move(tea)));
  REQUIRE(tea.content); // NOLINT: that it was not moved from is the point
  REQUIRE(scheduler.enqueue(alice, std::move(tea)));

  std::vector<parcels::work_type> batch;
  batch.push_back(parcel("milk"));
  CHECK_FALSE(scheduler.enqueue_batch(alice, std::move(batch)));

  REQUIRE(batch.size() == 1); // NOLINT
  CHECK(*batch[0].content == "milk");
}

TEST_CASE("scheduler leaves a refused state to its caller", "[core][turn]") {
  auto scheduler = with_room(1);
  REQUIRE(scheduler.register_request(alice, {}));
  parcels::state_type state;

  CHECK_FALSE(scheduler.register_request(alice, std::move(state)));

  CHECK(state.delivered); // NOLINT
}

TEST_CASE("scheduler gives the state of a released request away",
          "[core][turn]") {
  auto scheduler = with_room(8);
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, parcel("tea"));
  REQUIRE(scheduler.run_local_turn(at(1), deliver));
  scheduler.complete(id, no_outcome{}, at(2));

  auto state = scheduler.release(alice);

  REQUIRE(state);
  CHECK(*state->delivered == "tea");
  CHECK(scheduler.request_state(alice) == nullptr);
  CHECK(scheduler.status_of(alice) == std::nullopt);
}

TEST_CASE("scheduler shows the value of a work until it ends", "[core][turn]") {
  auto scheduler = with_room(8);
  REQUIRE(scheduler.register_request(alice, {}));
  auto id = *scheduler.enqueue(alice, parcel("tea"));

  REQUIRE(scheduler.find_work(id) != nullptr);
  CHECK(*scheduler.find_work(id)->content == "tea");

  REQUIRE(scheduler.cancel(alice, at(1)));
  CHECK(scheduler.find_work(id) == nullptr);
}
