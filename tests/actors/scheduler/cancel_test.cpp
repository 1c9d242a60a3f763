#include "actors/testing/scripted_backend.hpp"
#include "tests/actors/scheduler/counter_program.hpp"
#include "tests/catch.hpp"

#include <caf/scoped_actor.hpp>

#include <string>
#include <vector>

using namespace counter_tests;

namespace {

/// A scheduler with one backend that only ends what is cancelled.
struct hanging_fixture {
  hanging_fixture() {
    auto spawned = turnstile::spawn<testing::scripted_backend_state>(
      still.system(), std::string{"mock"},
      std::vector<testing::backend_step>{testing::hang{}});
    backend = backend_actor{spawned};
    scheduler_options options;
    options.backends.add("mock", backend);
    auto made =
      spawn_scheduler<counter_program>(still.system(), std::move(options));
    REQUIRE(made.has_value());
    scheduler = *made;
    wire::RegisterRequest request;
    request.mutable_request()->set_value(7);
    auto opening =
      mail(self, open_atom_v, request).request(scheduler, caf::infinite);
    still.settle();
    std::move(opening).receive(
      [&](const door_actor& opened) { door = opened; },
      [&](const caf::error& why) { FAIL(render(still.system(), why)); });
  }

  ~hanging_fixture() {
    still.kill(scheduler);
    still.kill(backend);
  }

  wire::Report report() {
    wire::Report counted;
    auto asking =
      mail(self, wire::ReportQuery{}).request(scheduler, caf::infinite);
    still.settle();
    std::move(asking).receive(
      [&](const wire::Report& answer) { counted = answer; },
      [&](const caf::error& why) { FAIL(render(still.system(), why)); });
    return counted;
  }

  world still;
  caf::scoped_actor self{still.system()};
  backend_actor backend;
  scheduler_actor scheduler;
  door_actor door;
};

} // namespace

TEST_CASE("a cancellation that comes with its work's execution still stops it",
          "[actors][scheduler]") {
  hanging_fixture f;
  wire::SubmitWork work;
  work.mutable_request()->set_value(7);
  wire::CancelRequest cancel;
  cancel.mutable_request()->set_value(7);
  // All three wait at the scheduler, so the backend has both of its orders
  // before it looks at either.
  auto submitting = mail(f.self, work).request(f.scheduler, caf::infinite);
  mail(f.self, turn_atom_v).send(f.scheduler);
  auto cancelling = mail(f.self, cancel).request(f.scheduler, caf::infinite);
  f.still.settle();
  std::move(submitting)
    .receive(
      [](const wire::Accepted&) {},
      [&](const caf::error& why) { FAIL(render(f.still.system(), why)); });
  // Read first, since an answer that is missing would be waited for.
  CHECK(f.report().abandoned_in_flight_work() == 0);
  REQUIRE(f.report().abandoned_released_work() == 1);
  auto how = wire::REQUEST_STATUS_UNSPECIFIED;
  std::move(cancelling)
    .receive(
      [&](const wire::RequestEnded& ended) { how = ended.status(); },
      [&](const caf::error& why) { FAIL(render(f.still.system(), why)); });
  CHECK(how == wire::REQUEST_STATUS_CANCELLED);
}
