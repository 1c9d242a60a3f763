#include "actors/testing/still_world.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

using namespace seam_tests;
using namespace std::chrono_literals;

namespace {

using ticker = typed_actor<caf::result<void>(later_atom)>;

/// Rearms a timer of its own for as long as it lives.
struct ticker_state {
  ticker_state(ticker::pointer selfptr, std::string& where, caf::timespan each,
               std::string as)
    : self(selfptr), seen(where), pause(each), name(std::move(as)),
      start(turnstile::now(self->clock())) {}

  ticker::behavior_type make_behavior() {
    arm();
    return {[this](later_atom) {
      auto passed = turnstile::now(self->clock()) - start;
      seen += name + std::to_string(passed / 1ms) + ' ';
      arm();
    }};
  }

  void arm() { mail(self, later_atom_v).delay(pause).send(ticker{self}); }

  ticker::pointer self;
  std::string& seen;
  caf::timespan pause;
  std::string name;
  instant start;
};

} // namespace

TEST_CASE("a still world begins at the same instant in every run",
          "[actors][testing]") {
  still_world first, second;
  CHECK(first.now() == second.now());
  CHECK_FALSE(first.has_timer());
  CHECK_FALSE(first.step());
}

TEST_CASE("advance fires a chain of timers at their own times",
          "[actors][testing]") {
  still_world world;
  std::string seen;
  auto start = world.now();
  auto whom = spawn<ticker_state>(world.system(), std::ref(seen), 10ms, "");
  world.advance(50ms);
  CHECK(seen == "10 20 30 40 50 ");
  CHECK(world.now() - start == 50ms);
  world.advance(9ms);
  CHECK(seen == "10 20 30 40 50 ");
  world.advance(1ms);
  CHECK(seen == "10 20 30 40 50 60 ");
}

TEST_CASE("advance mixes chains in the order of their times",
          "[actors][testing]") {
  still_world world;
  std::string seen;
  auto a = spawn<ticker_state>(world.system(), std::ref(seen), 4ms, "a");
  auto b = spawn<ticker_state>(world.system(), std::ref(seen), 6ms, "b");
  world.advance(12ms);
  CHECK(seen == "a4 b6 a8 b12 a12 "); // b's was set first, at 6
}

TEST_CASE("settle stands still in time", "[actors][testing]") {
  still_world world;
  std::string seen;
  auto start = world.now();
  auto whom = spawn<ticker_state>(world.system(), std::ref(seen), 10ms, "");
  world.settle();
  CHECK(world.now() == start);
  CHECK(world.next_timer() == start + 10ms);
  CHECK(seen.empty());
}

TEST_CASE("fire_next_timer jumps to the next timer and leaves its mail",
          "[actors][testing]") {
  still_world world;
  std::string seen;
  auto start = world.now();
  auto whom = spawn<ticker_state>(world.system(), std::ref(seen), 10ms, "");
  world.settle();
  CHECK(world.fire_next_timer());
  CHECK(world.now() - start == 10ms);
  CHECK(seen.empty());
  CHECK(world.step());
  CHECK(seen == "10 ");
  CHECK(world.has_timer());
  world.kill(whom);
  CHECK(world.fire_next_timer()); // rings for a dead actor
  CHECK_FALSE(world.fire_next_timer());
}

TEST_CASE("step delivers one message", "[actors][testing]") {
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  world.settle();
  for (auto note : {"a", "b"})
    anon_mail(note_atom_v, make_text(note)).send(whom);
  CHECK(world.step());
  CHECK(world.settle() == 1);
  CHECK(diary_of(world, whom) == "a b ");
}

TEST_CASE("a still world ends although its actors would never",
          "[actors][testing]") {
  std::string seen;
  ticker whom;
  {
    still_world world;
    whom = spawn<ticker_state>(world.system(), std::ref(seen), 10ms, "");
    world.advance(10ms);
    anon_mail(later_atom_v).send(whom);
    whom = ticker{};
  }
  CHECK(seen == "10 ");
}

TEST_CASE("a day of virtual seconds is short", "[actors][testing]") {
  still_world world;
  std::string seen;
  auto whom = spawn<ticker_state>(world.system(), std::ref(seen), 1s, "");
  world.advance(24h);
  CHECK(std::count(seen.begin(), seen.end(), ' ') == 86400);
}
