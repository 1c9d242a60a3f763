#include "actors/caf/owed_answer.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <vector>

using namespace seam_tests;

namespace {

using debtor = typed_actor<
  /// Owes an answer until told "value", "failure" or "forget".
  caf::result<text>(text),
  /// The same, when the answer carries nothing.
  caf::result<void>(later_atom), caf::result<void>(note_atom, text)>;

struct debtor_state {
  explicit debtor_state(debtor::pointer selfptr) : self(selfptr) {}

  debtor::behavior_type make_behavior() {
    return {
      [this](const text&) {
        texts.emplace_back(self);
        return texts.back().later();
      },
      [this](later_atom) {
        empties.emplace_back(self);
        return empties.back().later();
      },
      [this](note_atom, const text& how) { settle(how.value()); },
    };
  }

  void settle(const std::string& how) {
    auto why = fail(errc::capacity, "spent");
    for (auto& owed : texts)
      if (how != "forget")
        owed.settle(how == "value" ? make_text("paid") : result<text>{why});
    for (auto& owed : empties)
      if (how != "forget")
        owed.settle(how == "value" ? status{} : status{why});
    texts.clear();
    empties.clear();
  }

  debtor::pointer self;
  std::vector<owed_answer<text>> texts;
  std::vector<owed_answer<void>> empties;
};

struct fixture {
  still_world world;
  debtor whom = spawn<debtor_state>(world.system());
  caf::scoped_actor self{world.system()};

  std::string error(const caf::error& why) {
    return render(world.system(), why);
  }

  /// Asks both questions, lets `act` happen, and returns both answers.
  template <class Act>
  std::string answers_after(Act act) {
    auto one = mail(self, make_text("?")).request(whom, caf::infinite);
    auto two = mail(self, later_atom_v).request(whom, caf::infinite);
    world.settle();
    CHECK_FALSE(self->has_next_message());
    act();
    world.settle();
    std::string seen;
    std::move(one).receive([&](const text& x) { seen += x.value(); },
                           [&](const caf::error& e) { seen += error(e); });
    seen += " | ";
    std::move(two).receive([&] { seen += "done"; },
                           [&](const caf::error& e) { seen += error(e); });
    return seen;
  }
};

} // namespace

TEST_CASE("an owed answer is given once it is settled", "[actors][caf]") {
  auto [how, seen] = GENERATE(table<std::string, std::string>({
    {"value", "paid | done"},
    {"failure", "capacity: spent | capacity: spent"},
    {"forget", "backend_lost: the actor ended without an answer | "
               "backend_lost: the actor ended without an answer"},
  }));
  fixture f;
  CHECK(f.answers_after([&f, tell = make_text(how)] {
    anon_mail(note_atom_v, tell).send(f.whom);
  }) == seen);
}

TEST_CASE("who asked an actor that ends is answered", "[actors][caf]") {
  fixture f;
  CHECK(f.answers_after([&f] { f.world.kill(f.whom); })
        == "backend_lost: the actor ended without an answer | "
           "backend_lost: the actor ended without an answer");
}

TEST_CASE("an empty owed answer owes nothing", "[actors][caf]") {
  owed_answer<text> none;
  CHECK_FALSE(none.owed());
  none.settle(make_text("paid")); // to nobody
  auto moved = std::move(none);
  CHECK_FALSE(moved.owed());
}
