#include "tests/actors/scheduler/scheduler_world.hpp"

using namespace counter_tests;

TEST_CASE("a cancellation that comes with its work's execution still stops it",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  w.open(7);
  // All three wait at the scheduler, so the backend has both of its orders
  // before it looks at either.
  anon_mail(of(7, work())).send(w.scheduler);
  anon_mail(turn_atom_v).send(w.scheduler);
  auto cancelled =
    w.ask<wire::RequestEnded>(w.scheduler, of<wire::CancelRequest>(7));
  w.still.settle();
  CHECK(text(cancelled) == "cancelled at 0");
  CHECK(w.calls->order().size() == 1);
  CHECK(w.report().abandoned_released_work() == 1);
}
