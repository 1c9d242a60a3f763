#include "core/base/flat_index.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

#include <map>
#include <random>
#include <utility>

using namespace turnstile;

TEST_CASE("flat_index finds what was inserted and nothing else",
          "[core][base]") {
  flat_index index;
  CHECK(index.find({1, 2}) == std::nullopt);

  index.insert({1, 2}, 7);

  CHECK(index.find({1, 2}) == 7u);
  CHECK(index.find({2, 1}) == std::nullopt);
  CHECK(index.size() == 1);
}

TEST_CASE("flat_index points a key to another slot", "[core][base]") {
  flat_index index;
  index.insert({1, 2}, 7);

  index.replace({1, 2}, 9);

  CHECK(index.find({1, 2}) == 9u);
  CHECK(index.size() == 1);
}

TEST_CASE("flat_index keeps every other key when one is erased",
          "[core][base]") {
  flat_index index;
  for (std::uint32_t n = 0; n < 1'000; ++n)
    index.insert({n, n}, n);

  for (std::uint32_t n = 0; n < 1'000; n += 2)
    index.erase({n, n});
  index.audit();

  CHECK(index.size() == 500);
  for (std::uint32_t n = 0; n < 1'000; ++n) {
    CAPTURE(n);
    REQUIRE(index.find({n, n}).has_value() == (n % 2 == 1));
  }
}

TEST_CASE("flat_index is told about keys that it has or has not",
          "[core][base]") {
  checks_throw guard;
  flat_index index;
  CHECK_THROWS_AS(index.erase({1, 1}), broken_invariant);
  CHECK_THROWS_AS(index.replace({1, 1}, 2), broken_invariant);
  index.insert({1, 1}, 1);

  CHECK_THROWS_AS(index.insert({1, 1}, 2), broken_invariant);
  CHECK_THROWS_AS(index.erase({1, 2}), broken_invariant);
  CHECK_THROWS_AS(index.replace({1, 2}, 2), broken_invariant);
}

TEST_CASE("flat_index agrees with a map over a long random run",
          "[core][base]") {
  const auto [seed, keys] = GENERATE(table<unsigned, std::uint64_t>({
    {1, 8},      // few keys: the same cells over and over
    {2, 300},    //
    {3, 10'000}, // many: grows and grows
  }));
  CAPTURE(seed, keys);
  std::mt19937_64 random{seed};
  flat_index index;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> model;

  for (std::uint32_t step = 0; step < 40'000; ++step) {
    const flat_index::key k{random() % 3, random() % keys};
    const auto found = model.find({k.high, k.low});
    if (found == model.end()) {
      REQUIRE(index.find(k) == std::nullopt);
      index.insert(k, step);
      model.emplace(std::pair{k.high, k.low}, step);
    } else {
      REQUIRE(index.find(k) == found->second);
      if (random() % 3 == 0) {
        index.replace(k, step);
        found->second = step;
      } else {
        index.erase(k);
        model.erase(found);
      }
    }
    REQUIRE(index.size() == model.size());
    if (step % 1'000 == 0)
      index.audit();
  }

  for (const auto& [k, slot] : model)
    REQUIRE(index.find({k.first, k.second}) == slot);
}
