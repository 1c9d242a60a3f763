#include "actors/caf/mail.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <thread>

using namespace seam_tests;
using namespace std::chrono_literals;

namespace {

using notes = typed_actor<caf::result<void>(note_atom, text),
                          caf::result<text>(diary_atom)>;

/// Writes to itself while it is busy, so that all of it waits in its mailbox.
struct backlog_state {
  explicit backlog_state(notes::pointer selfptr) : self(selfptr) {}

  notes::behavior_type make_behavior() {
    return {
      [this](note_atom, const text& note) {
        seen += note.value() + ' ';
        if (note.value() != "start")
          return;
        mail(self, note_atom_v, make_text("first")).send(notes{self});
        mail(self, note_atom_v, make_text("second")).send(notes{self});
        mail(self, note_atom_v, make_text("urgent")).urgent().send(notes{self});
      },
      [this](diary_atom) { return make_text(seen); },
    };
  }

  notes::pointer self;
  std::string seen;
};

} // namespace

TEST_CASE("mail arrives in the order in which one sender sent it",
          "[actors][caf]") {
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  caf::scoped_actor self{world.system()};
  for (auto note : {"a", "b", "c"})
    mail(self, note_atom_v, make_text(note)).send(whom);
  CHECK(diary_of(world, whom) == "a b c ");
}

TEST_CASE("urgent mail overtakes what waits in the mailbox", "[actors][caf]") {
  // A system with threads: the still world of CAF 1.1.0 keeps no priorities.
  system_config<caf::id_block::seam_tests> settings;
  caf::actor_system system{settings};
  auto whom = spawn<backlog_state>(system);
  caf::scoped_actor self{system};
  mail(self, note_atom_v, make_text("start")).send(whom);
  std::string seen;
  while (seen.size() < std::string{"start urgent first second "}.size())
    mail(self, diary_atom_v)
      .request(whom, 5s)
      .receive([&](const text& x) { seen = x.value(); },
               [&](const caf::error& e) { FAIL(render(system, e)); });
  CHECK(seen == "start urgent first second ");
}

TEST_CASE("delayed mail arrives when virtual time says so", "[actors][caf]") {
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  anon_mail(note_atom_v, make_text("late")).delay(10ms).send(whom);
  world.advance(9ms);
  CHECK(diary_of(world, whom).empty());
  CHECK(world.has_timer());
  world.advance(1ms);
  CHECK(diary_of(world, whom) == "late ");
  CHECK_FALSE(world.has_timer());
}

TEST_CASE("anonymous mail comes from any thread", "[actors][caf]") {
  system_config<caf::id_block::seam_tests> settings;
  caf::actor_system system{settings};
  auto whom = spawn<diarist_state>(system);
  std::thread{[&] {
    anon_mail(note_atom_v, make_text("a")).send(whom);
  }}.join();
  caf::scoped_actor self{system};
  std::string seen;
  mail(self, diary_atom_v)
    .request(whom, 5s)
    .receive([&](const text& x) { seen = x.value(); },
             [&](const caf::error& e) { seen = render(system, e); });
  CHECK(seen == "a ");
}
