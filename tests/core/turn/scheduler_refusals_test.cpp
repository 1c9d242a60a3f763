#include "tests/catch.hpp"
#include "tests/core/turn/counter_program.hpp"

using namespace turnstile;

namespace {

/// Alice has a work in flight, bob one in the queue.
counting_scheduler busy(adder& backend) {
  auto scheduler = counting_with(scheduler_limits::of(2, 3));
  for (auto id : {alice, bob}) {
    REQUIRE(scheduler.register_request(id, {}));
    REQUIRE(scheduler.enqueue(id, {1}));
  }
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  return scheduler;
}

/// Why not, in words.
template <class T>
std::string why(const result<T>& refused) {
  return refused ? "not refused" : to_string(refused.error());
}

} // namespace

TEST_CASE("scheduler says what a refused verb waits for", "[core][turn]") {
  adder backend;
  auto scheduler = busy(backend);
  constexpr request_id carol{3};

  CHECK(why(scheduler.register_request(carol, {}))
        == "capacity: max_active_requests 2 of the scheduler is reached; a "
           "request has to end first");
  CHECK(why(scheduler.enqueue_batch(alice, {{1}, {2}}))
        == "capacity: max_queued_work 3 of the scheduler leaves 1 places, not "
           "2; works have to end first");
  CHECK(why(scheduler.finish(alice, at(2)))
        == "state: request 1 still has submitted work; wait for it or cancel "
           "the request");
  CHECK(why(scheduler.release(bob))
        == "state: request 2 still owns unpublished work; finish or cancel it "
           "to take its state");
  CHECK(why(scheduler.edit_state(alice, [](counter&) {}))
        == "state: request 1 has prepared or submitted branches; its state can "
           "be edited once they have ended");
  CHECK(why(scheduler.cancel(carol, at(2)))
        == "unknown_request: request 3 is not active");
}

TEST_CASE("scheduler says how a request has ended that is ended again",
          "[core][turn]") {
  adder backend;
  auto scheduler = busy(backend);
  REQUIRE(scheduler.cancel(alice, at(2)));

  CHECK(why(scheduler.cancel(alice, at(3)))
        == "state: request 1 has ended already: cancelled");
  CHECK(why(scheduler.forget(alice))
        == "state: request 1 still has submitted work; it can be forgotten "
           "after its exact completion");
  CHECK(why(scheduler.validate_registration(alice))
        == "duplicate_request: request 1 is cancelled; forget it before its "
           "identity is used again");
}

TEST_CASE("scheduler says where a work stands that is not submitted",
          "[core][turn]") {
  adder backend;
  auto scheduler = busy(backend);
  const work_id queued{bob, 0, 1};

  CHECK(why(scheduler.requeue(queued, std::nullopt, at(2)))
        == "state: work 2/0 is queued, not submitted");
  CHECK(why(scheduler.park(work_id{bob, 7, 1}, at(2)))
        == "unknown_work: no work 2/7 is in progress");
}

TEST_CASE("scheduler names the slice that is too large and its bound",
          "[core][turn]") {
  struct wide_work : addition {
    [[nodiscard]] std::uint64_t execution_slice_size() const { return 9; }
  };
  struct wide {
    using work_type = wide_work;
    using state_type = counter;
    using output_type = adder_output;
  };
  scheduler_settings settings;
  settings.limits.execution_slice = 8;
  auto scheduler = *turnstile::scheduler<wide>::create(settings);
  REQUIRE(scheduler.register_request(alice, {}));
  REQUIRE(scheduler.enqueue(alice, {}));

  auto out = scheduler.prepare_bounded(1, at(1));

  REQUIRE(out);
  REQUIRE(out->failed.size() == 1);
  CHECK(to_string(out->failed[0].why)
        == "descriptor: work 1/0 needs 9 operations; execution_slice permits 1 "
           "to 8");
}
