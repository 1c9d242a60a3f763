#include "actors/caf/monitor.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <stdexcept>
#include <string>

using namespace seam_tests;

namespace {

/// Does what a test wants done in the context of an actor.
struct watcher_state {
  using pointer = caf::event_based_actor*;

  watcher_state(pointer selfptr, std::function<void(pointer)> first)
    : self(selfptr), act(std::move(first)) {}

  caf::behavior make_behavior() {
    act(self);
    return {[this](note_atom) { act(self); }};
  }

  pointer self;
  std::function<void(pointer)> act;
};

/// Throws when it is asked.
struct clumsy_state {
  static constexpr const char* name = "clumsy";

  diarist::behavior_type make_behavior() {
    return {
      [](note_atom, const text&) {},
      [](const text&) -> caf::result<text> {
        throw std::runtime_error{"oops"};
      },
      [](later_atom, const text& x) { return x; },
      [](diary_atom) { return text{}; },
    };
  }
};

struct fixture {
  using pointer = watcher_state::pointer;

  still_world world;
  diarist whom = spawn<diarist_state>(world.system());
  std::string heard;

  /// A callback that hears the reason.
  auto hear(const std::string& who) {
    return [this, who](const caf::error& reason) {
      auto killed = reason == caf::exit_reason::kill;
      heard += who + (killed ? " hears kill. " : " hears something. ");
    };
  }

  /// Spawns an actor that acts at once and at each `note_atom`.
  caf::actor actor(std::function<void(pointer)> act) {
    auto result = spawn<watcher_state>(world.system(), std::move(act));
    world.settle();
    return result;
  }
};

} // namespace

TEST_CASE("monitor calls once when the actor is down", "[actors][caf]") {
  fixture f;
  auto watcher = f.actor([&](auto* self) {
    monitor(self, f.whom, f.hear("a"));
    monitor(self, f.whom, f.hear("b"));
  });
  CHECK(f.heard.empty());
  f.world.kill(f.whom);
  CHECK(f.heard == "a hears kill. b hears kill. ");
}

TEST_CASE("monitor calls soon when the actor is down already",
          "[actors][caf]") {
  fixture f;
  f.world.kill(f.whom);
  auto watcher =
    f.actor([&](auto* self) { monitor(self, f.whom, f.hear("a")); });
  CHECK(f.heard == "a hears kill. ");
}

TEST_CASE("a disposed watch is not called", "[actors][caf]") {
  fixture f;
  watch first, second;
  auto watcher = f.actor([&](auto* self) {
    if (second.open()) {
      first.dispose();
      return;
    }
    first = monitor(self, f.whom, f.hear("a"));
    second = monitor(self, f.whom, f.hear("b"));
  });
  anon_mail(note_atom_v).send(watcher);
  f.world.settle();
  CHECK_FALSE(first.open());
  f.world.kill(f.whom);
  CHECK(f.heard == "b hears kill. ");
  CHECK_FALSE(second.open());
  second.dispose(); // does nothing
}

TEST_CASE("a watch that is disposed while the news waits is not called",
          "[actors][caf]") {
  fixture f;
  watch only;
  auto watcher = f.actor([&](auto* self) {
    if (only.open())
      only.dispose();
    else
      only = monitor(self, f.whom, f.hear("a"));
  });
  anon_mail(note_atom_v).send(watcher); // waits in front of the news
  f.world.kill(f.whom);
  CHECK(f.heard.empty());
}

TEST_CASE("a callback may dispose its own watch and others", "[actors][caf]") {
  fixture f;
  watch first, second;
  auto watcher = f.actor([&](auto* self) {
    first = monitor(self, f.whom, [&](const caf::error&) {
      f.heard += "first ";
      first.dispose();
      second.dispose();
    });
    second = monitor(self, f.whom, f.hear("b"));
  });
  f.world.kill(f.whom);
  CHECK(f.heard == "first ");
}

TEST_CASE("a callback may monitor the dead actor again", "[actors][caf]") {
  fixture f;
  int rounds = 0;
  std::function<void(const caf::error&)> again;
  auto watcher = f.actor([&](auto* self) {
    again = [&, self](const caf::error&) {
      if (++rounds < 3)
        monitor(self, f.whom, again);
    };
    monitor(self, f.whom, again);
  });
  f.world.kill(f.whom);
  CHECK(rounds == 3);
}

TEST_CASE("the callbacks of an actor that quits are dropped", "[actors][caf]") {
  fixture f;
  auto watcher = f.actor([&](auto* self) {
    monitor(self, f.whom, [&, self](const caf::error&) {
      f.heard += "quits ";
      self->quit();
    });
    monitor(self, f.whom, f.hear("b"));
  });
  f.world.kill(f.whom);
  CHECK(f.heard == "quits ");
}

TEST_CASE("an actor that monitors may end first", "[actors][caf]") {
  fixture f;
  watch left;
  auto watcher =
    f.actor([&](auto* self) { left = monitor(self, f.whom, f.hear("a")); });
  f.world.kill(watcher);
  f.world.kill(f.whom);
  CHECK(f.heard.empty());
  left.dispose(); // harmless
}

TEST_CASE("monitor of no actor is closed", "[actors][caf]") {
  fixture f;
  watch none;
  auto watcher =
    f.actor([&](auto* self) { none = monitor(self, diarist{}, f.hear("a")); });
  CHECK_FALSE(none.open());
}

TEST_CASE("a state may monitor while it is constructed", "[actors][caf]") {
  struct eager_state {
    eager_state(caf::event_based_actor* self, const diarist& whom,
                std::string& heard) {
      monitor(self, whom, [&heard](const caf::error&) { heard = "down"; });
    }
    caf::behavior make_behavior() {
      return {[](note_atom) {}};
    }
  };
  fixture f;
  auto watcher =
    spawn<eager_state>(f.world.system(), f.whom, std::ref(f.heard));
  f.world.kill(f.whom);
  CHECK(f.heard == "down");
}

TEST_CASE("an actor whose handler throws is down", "[actors][caf]") {
  fixture f;
  auto clumsy = spawn<clumsy_state>(f.world.system());
  auto watcher =
    f.actor([&](auto* self) { monitor(self, clumsy, f.hear("a")); });
  auto seen = ask(f.world, clumsy, make_text("?"));
  CHECK(seen.seen == "backend_lost: clumsy threw: oops");
  CHECK(f.heard == "a hears something. ");
}
