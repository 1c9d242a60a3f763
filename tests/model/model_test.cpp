#include "tests/catch.hpp"
#include "tests/model/explore.hpp"

using namespace turnstile::model;

namespace {

/// Every seed that comes from here is new, and the same in every run.
void check_sequences(std::uint64_t first_seed, std::uint64_t count,
                     std::uint64_t steps, bool polled) {
  for (auto seed = first_seed; seed < first_seed + count; ++seed) {
    auto differs = explore(seed, steps, polled);
    if (differs)
      FAIL(*differs);
  }
  SUCCEED();
}

} // namespace

TEST_CASE("the core does what the model does in thousands of short sequences",
          "[model]") {
  auto polled = GENERATE(true, false);
  check_sequences(1, 4000, 60, polled);
}

TEST_CASE("the core does what the model does in long sequences", "[model]") {
  auto polled = GENERATE(true, false);
  check_sequences(1'000'000, 15, 1500, polled);
}
