#include "core/base/check.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

using namespace turnstile;

TEST_CASE("TURNSTILE_CHECK hands the text of what is broken to the handler",
          "[core][base]") {
  checks_throw guard;

  CHECK_NOTHROW(TURNSTILE_CHECK(1 + 1 == 2));
  CHECK_THROWS_WITH(TURNSTILE_CHECK(1 + 1 == 3), "1 + 1 == 3");
}

TEST_CASE("set_check_handler returns the handler before", "[core][base]") {
  auto first = set_check_handler(nullptr);

  CHECK(set_check_handler(first) == nullptr);
  CHECK(set_check_handler(first) == first);
}
