#include "tests/actors/scheduler/scheduler_world.hpp"

// A request from its door to its end.

using namespace counter_tests;

namespace {

template <class Message>
std::string say(scheduler_world& w, const door_actor& door, Message message) {
  auto ended = w.ask<wire::RequestEnded>(door, message);
  w.still.settle();
  return text(ended);
}

} // namespace

TEST_CASE("a finished request tells its state", "[actors][scheduler]") {
  scheduler_world w{{adds(5), adds(6)}};
  auto door = w.open();
  auto waiting = w.ask<wire::RequestEnded>(door, wire::AwaitRequest{});
  w.run(door);
  w.run(door);
  w.still.settle();
  CHECK(say(w, door, wire::FinishRequest{}) == "finished at 11");
  CHECK(text(waiting) == "finished at 11");
}

TEST_CASE("a request is finished only when nothing of it runs",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  auto door = w.open();
  w.run(door);
  w.still.settle();
  CHECK(say(w, door, wire::FinishRequest{})
        == "state: request 1 still has submitted work; wait for it or cancel "
           "the request");
}

TEST_CASE("a door answers with the end of its request", "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  auto door = w.open();
  CHECK(say(w, door, wire::FinishRequest{}) == "finished at 0");

  CHECK(say(w, door, wire::AwaitRequest{}) == "finished at 0");
  CHECK(say(w, door, wire::CancelRequest{})
        == "unknown_request: request 1 has ended: finished");
  auto refused = w.run(door);
  auto status = w.ask<wire::StatusAnswer>(door, wire::StatusQuery{});
  w.still.settle();
  CHECK(text(refused) == "unknown_request: request 1 has ended: finished");
  CHECK(text(status) == "finished, queued 0");
}

TEST_CASE("an old door never speaks to the next life of its request",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  auto old = w.open();
  say(w, old, wire::CancelRequest{});
  auto forgotten =
    w.ask<wire::RequestEnded>(w.scheduler, of<wire::ForgetRequest>(1));
  w.still.settle();
  REQUIRE(text(forgotten) == "cancelled");
  auto fresh = w.open();

  CHECK(say(w, old, wire::AwaitRequest{}) == "cancelled at 0");
  auto refused = w.run(old);
  auto accepted = w.run(fresh);
  w.still.settle();
  CHECK(text(refused) == "unknown_request: request 1 has ended: cancelled");
  CHECK(text(accepted) == "committed 1");
}

TEST_CASE("cancel is answered once nothing of the request runs",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  auto door = w.open();
  auto running = w.run(door);
  auto queued = w.run(door);
  w.still.settle();
  auto cancelled = w.ask<wire::RequestEnded>(door, wire::CancelRequest{});
  while (!*cancelled && w.still.step())
    if (*cancelled)
      CHECK(*running);
  CHECK(text(queued) == "abandoned, WITH_REQUEST");
  CHECK(text(running) == "abandoned, RELEASED");
  CHECK(text(cancelled) == "cancelled at 0");
  CHECK(w.calls->running() == 0);
}

TEST_CASE("release gives the state of an idle request and ends it",
          "[actors][scheduler]") {
  scheduler_world w{{adds(5)}};
  auto door = w.open();
  w.run(door);
  w.still.settle();
  auto released = w.ask<wire::ReleasedState>(door, wire::ReleaseRequest{});
  w.still.settle();
  CHECK(text(released) == "released at 5");
  CHECK(say(w, door, wire::AwaitRequest{}) == "finished");
}

TEST_CASE("the state of an ended request can still be taken",
          "[actors][scheduler]") {
  scheduler_world w{{adds(5)}};
  auto door = w.open();
  w.run(door);
  w.still.settle();
  say(w, door, wire::CancelRequest{});
  for (auto answer :
       {"released at 5", "unknown_request: request 1 is not active"}) {
    auto released =
      w.ask<wire::ReleasedState>(w.scheduler, of<wire::ReleaseRequest>(1));
    w.still.settle();
    CHECK(text(released) == answer);
  }
}

TEST_CASE("a request is registered with the state it is given",
          "[actors][scheduler]") {
  scheduler_world w{{adds(5)}};
  auto message = request(4);
  message.set_state("100");
  auto door = w.ask<door_actor>(w.scheduler, open_atom_v, message);
  w.still.settle();
  REQUIRE(text(door) == "a door");
  w.run(***door);
  w.still.settle();
  CHECK(say(w, ***door, wire::FinishRequest{}) == "finished at 105");
}

TEST_CASE("a request that cannot be registered is refused with the reason",
          "[actors][scheduler]") {
  scheduler_options options;
  options.settings.limits.max_active_requests = 1;
  scheduler_world w{{adds(1)}, options};
  auto refusal = [&](const wire::RegisterRequest& message) {
    auto door = w.ask<door_actor>(w.scheduler, open_atom_v, message);
    w.still.settle();
    return text(door);
  };
  auto odd = request(1);
  odd.set_state("many");
  CHECK(refusal(wire::RegisterRequest{})
        == "invalid_argument: RegisterRequest.request is missing");
  CHECK(refusal(odd) == "invalid_argument: make_state threw: stoll");
  CHECK(refusal(request(1)) == "a door");
  CHECK(refusal(request(1)).starts_with("duplicate_request: "));
  CHECK(refusal(request(2))
          .starts_with(
            "capacity: max_active_requests 1 of the scheduler is reached"));
}
