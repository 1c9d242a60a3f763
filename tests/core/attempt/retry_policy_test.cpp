#include "core/attempt/retry_policy.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace turnstile;
using namespace std::chrono_literals;

namespace {

constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr auto no_number = std::numeric_limits<double>::quiet_NaN();

retry_policy pauses(duration initial, double multiplier, duration most) {
  auto policy = retry_policy{};
  policy.initial_backoff = initial;
  policy.multiplier = multiplier;
  policy.max_backoff = most;
  return policy;
}

std::vector<duration> drawn(const retry_policy& policy, std::uint64_t seed) {
  auto chance = random_source{seed};
  std::vector<duration> out;
  for (std::uint32_t retry = 1; retry <= 50; ++retry)
    out.push_back(pause(policy, retry, chance));
  return out;
}

} // namespace

TEST_CASE("the default policy is the seed's, with jitter", "[core][attempt]") {
  const auto policy = retry_policy{};
  CHECK(policy.max_retries == 2);
  CHECK(policy.schema_retry_max == 3);
  CHECK(policy.jitter == jitter_kind::full);
  CHECK(backoff(policy, 1) == 500ms);
  CHECK(backoff(policy, 2) == 1s);
}

TEST_CASE("backoff doubles from retry to retry up to its bound",
          "[core][attempt]") {
  auto [retry, expected] = GENERATE(table<std::uint32_t, duration>({
    {0, 500ms}, // counts as the first
    {1, 500ms},
    {2, 1s},
    {3, 2s},
    {4, 4s},
    {5, 8s},
    {6, 10s},
    {7, 10s},
    {100, 10s},
    {5000, 10s}, // the product is infinite
    {std::numeric_limits<std::uint32_t>::max(), 10s},
  }));
  CAPTURE(retry);
  CHECK(backoff(retry_policy{}, retry) == expected);
}

TEST_CASE("backoff stays between zero and its bound, whatever the policy",
          "[core][attempt]") {
  auto [initial, multiplier, most, retry, expected] =
    GENERATE(table<duration, double, duration, std::uint32_t, duration>({
      {100ms, 3.0, 10s, 3, 900ms},
      {100ms, 1.0, 10s, 9, 100ms},
      {100ms, 0.5, 10s, 2, 50ms},
      {100ms, 0.0, 10s, 1, 100ms},
      {100ms, 0.0, 10s, 2, 0s},
      {20s, 2.0, 10s, 1, 10s},
      {0s, 2.0, 10s, 1, 0s},
      {0s, 2.0, 10s, 5000, 0s},
      {1s, 2.0, 0s, 1, 0s},
      {duration::max(), 2.0, duration::max(), 9, duration::max()},
      // What `validate` refuses:
      {-1s, 2.0, 10s, 1, 0s},
      {1s, -2.0, 10s, 2, 0s},
      {1s, -2.0, 10s, 3, 4s},
      {1s, 2.0, -1s, 1, 0s},
      {1s, infinity, 10s, 2, 10s},
      {1s, -infinity, 10s, 2, 0s},
      {1s, no_number, 10s, 2, 10s},
    }));
  CAPTURE(initial, multiplier, most, retry);
  CHECK(backoff(pauses(initial, multiplier, most), retry) == expected);
}

TEST_CASE("a pause without jitter is exactly its backoff", "[core][attempt]") {
  auto policy = retry_policy{};
  policy.jitter = jitter_kind::none;
  auto chance = random_source{1};
  for (std::uint32_t retry = 0; retry < 10; ++retry)
    CHECK(pause(policy, retry, chance) == backoff(policy, retry));
  CHECK(chance.draw() == random_source{1}.draw()); // nothing was drawn
}

TEST_CASE("a pause with full jitter is drawn from zero to its backoff",
          "[core][attempt]") {
  auto chance = random_source{3};
  const auto policy = retry_policy{};
  auto shortest = duration::max();
  auto longest = duration::zero();
  for (int drawn = 0; drawn < 10'000; ++drawn) {
    const auto drawn_pause = pause(policy, 2, chance);
    shortest = std::min(shortest, drawn_pause);
    longest = std::max(longest, drawn_pause);
  }
  CHECK(shortest >= 0s);
  CHECK(shortest < 10ms);
  CHECK(longest > 990ms);
  CHECK(longest <= 1s);
}

TEST_CASE("pauses repeat from a seed and differ between seeds",
          "[core][attempt]") {
  CHECK(drawn(retry_policy{}, 11) == drawn(retry_policy{}, 11));
  CHECK(drawn(retry_policy{}, 11) != drawn(retry_policy{}, 12));
}

TEST_CASE("a pause of the greatest backoff there is can be drawn",
          "[core][attempt]") {
  const auto policy = pauses(duration::max(), 2.0, duration::max());
  for (auto drawn_pause : drawn(policy, 5))
    CHECK(drawn_pause >= 0s);
}

TEST_CASE("validate names the field of a policy that makes no sense",
          "[core][attempt]") {
  auto [policy, verdict] = GENERATE(table<retry_policy, std::string>({
    {retry_policy{}, "ok"},
    {pauses(0s, 0.0, 0s), "ok"},
    {pauses(-1ns, 2.0, 10s),
     "invalid_argument: initial_backoff must not be negative"},
    {pauses(1s, 2.0, -1ns),
     "invalid_argument: max_backoff must not be negative"},
    {pauses(1s, -0.5, 10s),
     "invalid_argument: multiplier must be a number that is not negative"},
    {pauses(1s, infinity, 10s),
     "invalid_argument: multiplier must be a number that is not negative"},
    {pauses(1s, no_number, 10s),
     "invalid_argument: multiplier must be a number that is not negative"},
  }));
  const auto outcome = validate(policy);
  CHECK((outcome ? "ok" : to_string(outcome.error())) == verdict);
  if (outcome)
    CHECK(*outcome == policy);
}
