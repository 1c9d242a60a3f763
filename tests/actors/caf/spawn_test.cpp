#include "actors/caf/spawn.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace seam_tests;
using namespace std::chrono_literals;

namespace {

struct life {
  int constructed = 0;
  int behaving = 0;
  int destroyed = 0;
};

/// Shows when CAF makes, starts and drops a state.
struct mortal_state {
  explicit mortal_state(life& x) : seen(x) { ++seen.constructed; }
  ~mortal_state() { ++seen.destroyed; }

  caf::behavior make_behavior() {
    ++seen.behaving;
    return {[](note_atom) {}};
  }

  life& seen;
};

struct thread_state {
  caf::behavior make_behavior() {
    return {[](diary_atom) {
      auto same = std::this_thread::get_id() == caller;
      std::this_thread::sleep_for(1ms);
      return make_text(same ? "same thread" : "own thread");
    }};
  }

  static inline std::thread::id caller;
};

struct throwing_state {
  throwing_state() { throw std::runtime_error{"not today"}; }
  caf::behavior make_behavior() {
    return {[](note_atom) {}};
  }
};

struct parent_state {
  using pointer = caf::event_based_actor*;

  explicit parent_state(pointer selfptr) : self(selfptr) {}

  caf::behavior make_behavior() {
    child = spawn<diarist_state>(self, "child");
    return {
      [this](diary_atom) { return mail(self, diary_atom_v).delegate(child); }};
  }

  pointer self;
  diarist child;
};

} // namespace

TEST_CASE("a state lives from spawn to the actor's end", "[actors][caf]") {
  still_world world;
  life seen;
  auto whom = spawn<mortal_state>(world.system(), std::ref(seen));
  CHECK(seen.constructed == 1);
  world.settle();
  CHECK(seen.behaving == 1);
  world.kill(whom);
  CHECK(seen.destroyed == 1);
  whom = nullptr;
  CHECK(seen.destroyed == 1);
}

TEST_CASE("a lazy actor first runs when it gets mail", "[actors][caf]") {
  still_world world;
  life seen;
  auto whom = spawn_lazy<mortal_state>(world.system(), std::ref(seen));
  world.settle();
  CHECK(seen.behaving == 0);
  anon_mail(note_atom_v).send(whom);
  world.settle();
  CHECK(seen.behaving == 1);
}

TEST_CASE("a lazy actor that never ran is dropped with its last handle",
          "[actors][caf]") {
  still_world world;
  life seen;
  auto whom = spawn_lazy<mortal_state>(world.system(), std::ref(seen));
  whom = nullptr;
  world.settle();
  CHECK(seen.destroyed == 1);
}

TEST_CASE("actors are spawned by actors and by scoped actors, too",
          "[actors][caf]") {
  still_world world;
  caf::scoped_actor self{world.system()};
  auto parent = spawn<parent_state>(self);
  CHECK(ask(world, parent, diary_atom_v).seen == "child");
}

TEST_CASE("what a state's constructor throws comes out of spawn",
          "[actors][caf]") {
  still_world world;
  CHECK_THROWS_AS(spawn<throwing_state>(world.system()), std::runtime_error);
}

TEST_CASE("a detached actor has a thread of its own", "[actors][caf]") {
  system_config<caf::id_block::seam_tests> settings;
  caf::actor_system system{settings};
  thread_state::caller = std::this_thread::get_id();
  auto whom = spawn_detached<thread_state>(system);
  caf::scoped_actor self{system};
  std::string seen;
  mail(self, diary_atom_v)
    .request(whom, 5s)
    .receive([&](const text& x) { seen = x.value(); },
             [&](const caf::error& e) { seen = render(system, e); });
  CHECK(seen == "own thread");
}
