#include "actors/caf/mail.hpp"
#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <string>
#include <utility>

using namespace seam_tests;
using namespace std::chrono_literals;

namespace {

/// Passes everything on to another diarist.
struct secretary_state {
  secretary_state(diarist::pointer selfptr, diarist for_whom)
    : self(selfptr), boss(std::move(for_whom)) {}

  diarist::behavior_type make_behavior() {
    return {
      [this](note_atom, const text& note) {
        mail(self, note_atom_v, note).send(boss);
      },
      [this](const text& note) { return mail(self, note).delegate(boss); },
      [this](later_atom, const text& note) -> caf::result<text> {
        auto promise = self->make_response_promise<text>();
        mail(self, later_atom_v, note)
          .request(boss, 10s)
          .then([promise](const text& x) mutable { promise.deliver(x); },
                [promise](const caf::error& e) mutable { promise.deliver(e); });
        return promise;
      },
      [this](diary_atom) { return mail(self, diary_atom_v).delegate(boss); },
    };
  }

  diarist::pointer self;
  diarist boss;
};

} // namespace

TEST_CASE("a request is answered with a value or with a failure",
          "[actors][caf]") {
  auto [note, seen] = GENERATE(table<std::string, std::string>({
    {"yes", "yes"},
    {"no", "capacity: the diary is full"},
  }));
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  CHECK(ask(world, whom, make_text(note)).seen == seen);
}

TEST_CASE("a promise is answered when its time has come", "[actors][caf]") {
  auto [note, seen] = GENERATE(table<std::string, std::string>({
    {"yes", "yes"},
    {"no", "capacity: the diary is full"},
  }));
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  anon_mail(note_atom_v, make_text("now")).delay(1s).send(whom);
  caf::scoped_actor self{world.system()};
  auto pending =
    mail(self, later_atom_v, make_text(note)).request(whom, caf::infinite);
  world.advance(999ms);
  CHECK_FALSE(self->has_next_message());
  world.advance(1ms);
  std::string got;
  std::move(pending).receive(
    [&](const text& x) { got = x.value(); },
    [&](const caf::error& e) { got = render(world.system(), e); });
  CHECK(got == seen);
}

TEST_CASE("delegated mail is answered by the delegate", "[actors][caf]") {
  still_world world;
  auto boss = spawn<diarist_state>(world.system());
  auto secretary = spawn<secretary_state>(world.system(), boss);
  anon_mail(note_atom_v, make_text("a")).send(secretary);
  CHECK(ask(world, secretary, make_text("yes")).seen == "yes");
  CHECK(ask(world, secretary, diary_atom_v).seen == "a ");
}

TEST_CASE("a request in an actor runs into its timeout on virtual time",
          "[actors][caf]") {
  still_world world;
  auto boss = spawn<diarist_state>(world.system());
  auto secretary = spawn<secretary_state>(world.system(), boss);
  caf::scoped_actor self{world.system()};
  auto pending = mail(self, later_atom_v, make_text("yes"))
                   .request(secretary, caf::infinite);
  world.advance(10s);
  failure why;
  std::move(pending).receive(
    [&](const text&) { FAIL("answered"); },
    [&](const caf::error& e) { why = to_failure(world.system(), e); });
  CHECK(to_string(why.code) == "deadline_exceeded");
}

TEST_CASE("a request to a dead actor is answered with an error",
          "[actors][caf]") {
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  world.kill(whom);
  auto seen = ask(world, whom, make_text("yes"));
  REQUIRE(seen.why);
  CHECK(to_string(seen.why->code) == "backend_lost");
}

TEST_CASE(
  "a request may be urgent, and is answered if it is passed on urgently",
  "[actors][caf]") {
  struct deputy_state {
    deputy_state(diarist::pointer selfptr, diarist x)
      : self(selfptr), boss(std::move(x)) {}

    diarist::behavior_type make_behavior() {
      return {
        [](note_atom, const text&) {},
        [this](const text& x) { return forward_urgently<text>(self, boss, x); },
        [](later_atom, const text& x) { return x; },
        [](diary_atom) { return text{}; },
      };
    }

    diarist::pointer self;
    diarist boss;
  };
  const auto urgently = GENERATE(false, true);
  still_world world;
  auto boss = spawn<diarist_state>(world.system());
  auto deputy = spawn<deputy_state>(world.system(), boss);
  caf::scoped_actor self{world.system()};
  std::string seen;
  auto receive = [&](auto pending) {
    world.settle();
    REQUIRE(self->has_next_message()); // a missing answer is waited for
    std::move(pending).receive(
      [&](const text& x) { seen = x.value(); },
      [&](const caf::error& e) { seen = render(world.system(), e); });
  };
  auto asking = mail(self, make_text("yes"));
  if (urgently)
    receive(std::move(asking).urgent().request(deputy, caf::infinite));
  else
    receive(std::move(asking).request(deputy, caf::infinite));
  CHECK(seen == "yes");
}

TEST_CASE("mail to nobody is dropped and a request to nobody fails",
          "[actors][caf]") {
  still_world world;
  diarist nobody;
  anon_mail(note_atom_v, make_text("a")).send(nobody);
  anon_mail(note_atom_v, make_text("a")).delay(1s).send(nobody);
  CHECK_FALSE(world.has_timer());
  CHECK(ask(world, nobody, make_text("yes")).why);
}
