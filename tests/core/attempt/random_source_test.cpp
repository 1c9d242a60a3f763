#include "core/attempt/random_source.hpp"

#include "tests/catch.hpp"

#include <vector>

using namespace turnstile;

namespace {

std::vector<std::uint64_t> draws(random_source chance, int count) {
  std::vector<std::uint64_t> out;
  for (int drawn = 0; drawn < count; ++drawn)
    out.push_back(chance.draw());
  return out;
}

} // namespace

TEST_CASE("random_source draws the published numbers of splitmix64",
          "[core][attempt]") {
  CHECK(draws(random_source{1234567}, 5)
        == std::vector<std::uint64_t>{
          6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
          4593380528125082431U, 16408922859458223821U});
}

TEST_CASE("random_source repeats from a seed, and a copy goes its own way",
          "[core][attempt]") {
  auto chance = random_source{7};
  static_cast<void>(chance.draw());
  CHECK(draws(chance, 100) == draws(chance, 100));
  CHECK(draws(random_source{7}, 100) == draws(random_source{7}, 100));
  CHECK(draws(random_source{7}, 100) != draws(random_source{8}, 100));
}

TEST_CASE("random_source draws units from zero to below one, evenly",
          "[core][attempt]") {
  auto chance = random_source{42};
  auto sum = 0.0;
  for (int drawn = 0; drawn < 10'000; ++drawn) {
    const auto unit = chance.draw_unit();
    REQUIRE(unit >= 0.0);
    REQUIRE(unit < 1.0);
    sum += unit;
  }
  CHECK(sum / 10'000 == Approx(0.5).margin(0.02));
}
