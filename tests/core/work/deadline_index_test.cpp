#include "core/work/deadline_index.hpp"

#include "tests/catch.hpp"
#include "tests/core/alice_and_bob.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>

using namespace turnstile;

namespace {

work_slot nth(std::size_t n) {
  return static_cast<work_slot>(n);
}

/// Takes out everything that is due, in order.
std::string take_all(deadline_index& index, instant now) {
  std::string out;
  while (auto slot = index.take_due(now))
    out += std::to_string(index_of(*slot)) + ' ';
  index.audit();
  return out;
}

} // namespace

TEST_CASE("deadline_index takes out what is due, earliest first",
          "[core][work]") {
  deadline_index index;
  index.set(nth(1), at(30));
  index.set(nth(2), at(10));
  index.set(nth(3), at(20));
  CHECK(index.next() == at(10));

  CHECK(take_all(index, at(9)).empty());
  CHECK(take_all(index, at(20)) == "2 3 ");

  CHECK(index.next() == at(30));
  CHECK(index.size() == 1);
}

TEST_CASE("deadline_index orders equal instants by slot", "[core][work]") {
  deadline_index index;
  for (auto n : {5, 2, 9, 1})
    index.set(nth(static_cast<std::size_t>(n)), at(10));

  CHECK(take_all(index, at(10)) == "1 2 5 9 ");
}

TEST_CASE("deadline_index moves an instant that is set again", "[core][work]") {
  deadline_index index;
  index.set(nth(1), at(10));
  index.set(nth(2), at(20));

  index.set(nth(1), at(30));

  CHECK(index.size() == 2);
  CHECK(take_all(index, at(40)) == "2 1 ");
}

TEST_CASE("deadline_index forgets an instant that is cleared", "[core][work]") {
  deadline_index index;
  index.set(nth(1), at(10));
  index.set(nth(2), at(20));

  CHECK(index.clear(nth(1)));
  CHECK_FALSE(index.clear(nth(1)));
  CHECK_FALSE(index.clear(nth(99)));

  CHECK_FALSE(index.holds(nth(1)));
  CHECK(index.next() == at(20));
}

TEST_CASE("deadline_index that is empty has no next instant", "[core][work]") {
  deadline_index index;
  CHECK(index.next() == std::nullopt);
  CHECK(index.take_due(instant::max()) == std::nullopt);
  CHECK_FALSE(index.holds(nth(0)));
}

TEST_CASE("deadline_index agrees with a multimap over a long random run",
          "[core][work]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  deadline_index index;
  std::multimap<instant, work_slot> model; // equal keys: sorted by hand below
  auto find = [&](work_slot slot) {
    return std::find_if(model.begin(), model.end(), [&](const auto& entry) {
      return entry.second == slot;
    });
  };

  for (int step = 0; step < 20'000; ++step) {
    const auto slot = nth(random() % 100);
    switch (random() % 4) {
    case 0:
    case 1: {
      const auto when = at(static_cast<std::int64_t>(random() % 200));
      if (auto known = find(slot); known != model.end())
        model.erase(known);
      model.emplace(when, slot);
      index.set(slot, when);
      break;
    }
    case 2: {
      const auto known = find(slot);
      REQUIRE(index.clear(slot) == (known != model.end()));
      if (known != model.end())
        model.erase(known);
      break;
    }
    case 3: {
      const auto now = at(static_cast<std::int64_t>(random() % 20));
      auto due = model.end();
      for (auto entry = model.begin();
           entry != model.end() && entry->first <= now
           && entry->first == model.begin()->first;
           ++entry)
        if (due == model.end() || entry->second < due->second)
          due = entry;
      const auto taken = index.take_due(now);
      REQUIRE(taken.has_value() == (due != model.end()));
      if (taken) {
        REQUIRE(*taken == due->second);
        model.erase(due);
      }
      break;
    }
    }
    REQUIRE(index.size() == model.size());
    REQUIRE(
      index.next()
      == (model.empty() ? std::nullopt : std::optional{model.begin()->first}));
    if (step % 500 == 0)
      index.audit();
  }
}
