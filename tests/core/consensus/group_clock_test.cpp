#include "core/consensus/group_clock.hpp"

#include "tests/catch.hpp"
#include "tests/core/alice_and_bob.hpp"

using namespace turnstile;

TEST_CASE("group_clock goes on by what the leader's clock has moved",
          "[core][consensus]") {
  group_clock clock;

  CHECK(clock.advance(at(7'000)) == at(0)); // it begins here
  CHECK(clock.advance(at(7'010)) == at(10));
  CHECK(clock.advance(at(7'010)) == at(10));
  CHECK(clock.advance(at(7'025)) == at(25));
}

TEST_CASE("group_clock never goes back", "[core][consensus]") {
  group_clock clock;
  clock.advance(at(100));
  clock.advance(at(150));

  CHECK(clock.advance(at(20)) == at(50)); // this rank's clock did
  CHECK(clock.advance(at(30)) == at(60));
  clock.told(at(40), at(31));
  CHECK(clock.last() == at(60));
}

TEST_CASE("group_clock goes on under another leader, whose own clock is an "
          "hour off",
          "[core][consensus]") {
  constexpr auto hour = std::chrono::hours{1};
  auto skew = GENERATE(-1, 0, 1);
  group_clock clock; // of a rank that only heard so far
  const auto local = at(0) + 10 * hour + skew * hour;
  clock.told(at(5'000), local);

  CHECK(clock.estimate(local + duration{7}) == at(5'007));
  CHECK(clock.advance(local + duration{20}) == at(5'020));
}
