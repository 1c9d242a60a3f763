#include "core/work/lifecycle_history.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <vector>

using namespace turnstile;

namespace {

constexpr auto committed = work_lifecycle::committed;
constexpr auto abandoned = work_lifecycle::abandoned;
constexpr auto failed = work_lifecycle::failed;
constexpr std::size_t plenty = 1'000;

} // namespace

TEST_CASE("lifecycle_history needs nothing for what committed",
          "[core][work]") {
  lifecycle_history history;
  for (std::uint64_t sequence = 0; sequence < 1'000'000; ++sequence)
    history.note(sequence, committed, plenty);

  CHECK(history.ranges() == 0);
  CHECK(history.find(0) == committed);
  CHECK(history.find(999'999) == committed);
}

TEST_CASE("lifecycle_history keeps neighbours with the same end as one range",
          "[core][work]") {
  // The orders in which three neighbours can end.
  auto order = GENERATE(values<std::vector<std::uint64_t>>(
    {{4, 5, 6}, {6, 5, 4}, {4, 6, 5}, {5, 4, 6}, {5, 6, 4}, {6, 4, 5}}));
  lifecycle_history history;

  for (auto sequence : order)
    history.note(sequence, abandoned, plenty);
  history.audit();

  CHECK(history.ranges() == 1);
  CHECK(history.find(3) == committed);
  CHECK(history.find(4) == abandoned);
  CHECK(history.find(6) == abandoned);
  CHECK(history.find(7) == committed);
}

TEST_CASE("lifecycle_history keeps different ends apart", "[core][work]") {
  lifecycle_history history;
  history.note(4, abandoned, plenty);
  history.note(5, failed, plenty);
  history.note(6, abandoned, plenty);
  history.audit();

  CHECK(history.ranges() == 3);
  CHECK(history.find(5) == failed);
}

TEST_CASE("lifecycle_history forgets the lowest when there are too many ranges",
          "[core][work]") {
  lifecycle_history history;
  history.note(2, failed, 2);
  history.note(5, failed, 2);

  history.note(9, failed, 2);
  history.audit();

  CHECK(history.ranges() == 2);
  CHECK(history.known_from() == 3);
  CHECK(history.find(2) == std::nullopt);
  CHECK(history.find(1) == std::nullopt); // with all below it
  CHECK(history.find(3) == committed);
  CHECK(history.find(9) == failed);
}

TEST_CASE("lifecycle_history does not learn again what it forgot",
          "[core][work]") {
  lifecycle_history history;
  history.note(5, failed, 1);
  history.note(9, failed, 1); // forgets up to 5

  history.note(4, failed, 1);
  history.audit();

  CHECK(history.find(4) == std::nullopt);
  CHECK(history.find(9) == failed);
}

TEST_CASE("lifecycle_history with room for nothing remembers commits only",
          "[core][work]") {
  lifecycle_history history;
  history.note(3, failed, 0);
  history.audit();

  CHECK(history.ranges() == 0);
  CHECK(history.find(3) == std::nullopt);
  CHECK(history.find(4) == committed);
}

TEST_CASE("lifecycle_history agrees with a map, whatever ends first",
          "[core][work]") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::vector<std::uint64_t> order(400);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  lifecycle_history history;
  std::map<std::uint64_t, work_lifecycle> model;

  for (auto sequence : order) {
    const auto lifecycle =
      std::array{committed, abandoned, failed}[random() % 3];
    history.note(sequence, lifecycle, plenty);
    model[sequence] = lifecycle;
    history.audit();
    for (const auto& [ended, how] : model)
      REQUIRE(history.find(ended) == how);
  }
}
