#include "actors/caf/wants_answer.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

using namespace seam_tests;

namespace {

/// Notes of each message whether its sender waits.
struct listener_state {
  listener_state(caf::event_based_actor* selfptr, std::string& heard)
    : self(selfptr), notes(heard) {}

  caf::behavior make_behavior() {
    return {[this](const text& what) {
      notes += what.value() + (wants_answer(self) ? "? " : ". ");
    }};
  }

  caf::event_based_actor* self;
  std::string& notes;
};

} // namespace

TEST_CASE("an actor can tell questions from one-way messages",
          "[actors][caf]") {
  still_world world;
  std::string notes;
  const auto whom = spawn<listener_state>(world.system(), notes);
  caf::scoped_actor self{world.system()};
  mail(self, make_text("told")).send(whom);
  auto asked = mail(self, make_text("asked")).request(whom, caf::infinite);
  mail(self, make_text("told urgently")).urgent().send(whom);
  anon_mail(make_text("told by nobody")).send(whom);
  world.settle();
  std::move(asked).receive([] {}, [](const caf::error&) {});
  for (const auto* note :
       {"told. ", "asked? ", "told urgently. ", "told by nobody. "})
    CHECK_THAT(notes, Catch::Matchers::ContainsSubstring(note));
  world.kill(whom);
}
