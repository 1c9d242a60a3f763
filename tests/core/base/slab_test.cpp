#include "core/base/slab.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

#include <map>
#include <random>

using namespace turnstile;

namespace {

struct note {
  int text = 0;
};

using notes = slab<work_slot, note>;

} // namespace

TEST_CASE("slab hands out a fresh record each time", "[core][base]") {
  notes slab;
  auto slot = slab.take();
  slab[slot].text = 5;

  slab.give_back(slot);
  slab.audit();

  CHECK(slab.take() == slot); // what was freed last is used first
  CHECK(slab[slot].text == 0);
  CHECK(slab.size() == 1);
}

TEST_CASE("slab keeps the address of a record while others come and go",
          "[core][base]") {
  notes slab;
  auto slot = slab.take();
  const auto* address = &slab[slot];

  for (int i = 0; i < 10'000; ++i)
    slab.take();

  CHECK(&slab[slot] == address);
}

TEST_CASE("slab knows what it holds", "[core][base]") {
  notes slab;
  auto first = slab.take();
  auto second = slab.take();
  slab.give_back(first);

  CHECK_FALSE(slab.holds(first));
  CHECK(slab.holds(second));
  CHECK_FALSE(slab.holds(work_slot::none));
  std::size_t visited = 0;
  slab.for_each([&](work_slot slot, const note&) {
    CHECK(slot == second);
    ++visited;
  });
  CHECK(visited == 1);
}

TEST_CASE("slab does not take back what it does not hold", "[core][base]") {
  checks_throw guard;
  notes slab;
  auto slot = slab.take();
  slab.give_back(slot);

  CHECK_THROWS_AS(slab.give_back(slot), broken_invariant);
  CHECK_THROWS_AS(slab.give_back(work_slot::none), broken_invariant);
}

TEST_CASE("slab agrees with a map over a long random run", "[core][base]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  notes slab;
  std::map<work_slot, int> model;

  for (int step = 0; step < 5'000; ++step) {
    if (model.empty() || random() % 5 < 3) {
      auto slot = slab.take();
      REQUIRE(model.emplace(slot, step).second);
      slab[slot].text = step;
    } else {
      auto gone =
        std::next(model.begin(), static_cast<long>(random() % model.size()));
      REQUIRE(slab[gone->first].text == gone->second);
      slab.give_back(gone->first);
      model.erase(gone);
    }
    REQUIRE(slab.size() == model.size());
  }

  slab.audit();
  for (const auto& [slot, text] : model)
    REQUIRE(slab[slot].text == text);
}
