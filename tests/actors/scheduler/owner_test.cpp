#include "tests/actors/scheduler/scheduler_world.hpp"

// Requests that end with the actor that opened them.

using namespace counter_tests;

namespace {

/// An actor that opens requests of its own and lives until it is killed.
using owner_actor =
  typed_actor<caf::result<door_actor>(open_atom, wire::RegisterRequest)>;

struct owner_state {
  owner_state(owner_actor::pointer selfptr, scheduler_actor to)
    : self(selfptr), scheduler(std::move(to)) {}

  owner_actor::behavior_type make_behavior() {
    return {
      [this](open_atom,
             wire::RegisterRequest message) -> caf::result<door_actor> {
        owed_answer<door_actor> owed{self};
        auto later = owed.later();
        auto shared =
          std::make_shared<owed_answer<door_actor>>(std::move(owed));
        mail(self, open_atom_v, std::move(message))
          .request(scheduler, caf::infinite)
          .then([shared](const door_actor& door) { shared->settle(door); },
                [shared, this](const caf::error& why) {
                  shared->settle(fail(to_failure(self->system(), why)));
                });
        return later;
      },
    };
  }

  owner_actor::pointer self;
  scheduler_actor scheduler;
};

struct owned_world : scheduler_world {
  owned_world() : scheduler_world{{testing::hang{}}} {}

  door_actor open_by(const owner_actor& owner, std::uint64_t id,
                     bool dies_with = true) {
    auto message = request(id);
    message.set_cancel_when_owner_dies(dies_with);
    auto door = ask<door_actor>(owner, open_atom_v, message);
    still.settle();
    REQUIRE(text(door) == "a door");
    return ***door;
  }

  std::string status(std::uint64_t id) {
    auto answer = ask<wire::StatusAnswer>(scheduler, of<wire::StatusQuery>(id));
    still.settle();
    return text(answer);
  }

  owner_actor owner = turnstile::spawn<owner_state>(still.system(), scheduler);
};

} // namespace

TEST_CASE("the end of its owner cancels a request", "[actors][scheduler]") {
  owned_world w;
  auto door = w.open_by(w.owner, 1);
  auto running = w.run(door);
  auto end = w.ask<wire::RequestEnded>(door, wire::AwaitRequest{});
  w.still.settle();
  REQUIRE(text(end) == "-");
  w.still.kill(w.owner);
  CHECK(text(running) == "abandoned, RELEASED");
  CHECK(text(end) == "cancelled at 0");
}

TEST_CASE("one owner's end cancels all that it owns, and nothing else",
          "[actors][scheduler]") {
  owned_world w;
  auto other = turnstile::spawn<owner_state>(w.still.system(), w.scheduler);
  for (std::uint64_t id = 1; id <= 3; ++id)
    w.open_by(w.owner, id);
  w.open_by(w.owner, 4, false);
  w.open_by(other, 5);
  w.still.kill(w.owner);
  std::string seen;
  for (std::uint64_t id = 1; id <= 5; ++id)
    seen += w.status(id) + "; ";
  CHECK(seen
        == "cancelled, queued 0; cancelled, queued 0; cancelled, queued 0; "
           "active, queued 0; active, queued 0; ");
  w.still.kill(other);
  CHECK(w.status(5) == "cancelled, queued 0");
}

TEST_CASE("an owner may end after its requests", "[actors][scheduler]") {
  owned_world w;
  for (std::uint64_t id = 1; id <= 2; ++id) {
    auto door = w.open_by(w.owner, id);
    w.ask<wire::RequestEnded>(door, wire::FinishRequest{});
    w.still.settle();
  }
  w.still.kill(w.owner);
  CHECK(w.status(1) == "finished, queued 0");
  CHECK(w.status(2) == "finished, queued 0");
}

TEST_CASE("nobody cannot own a request", "[actors][scheduler]") {
  owned_world w;
  auto message = request(1);
  message.set_cancel_when_owner_dies(true);
  anon_mail(open_atom_v, message).send(w.scheduler);
  w.still.settle();
  CHECK(w.status(1) == "unknown");
}
