#include "core/base/time.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

TEST_CASE("later adds a duration to an instant", "[core][base]") {
  CHECK(later(instant{duration{3}}, duration{4}) == instant{duration{7}});
  CHECK(later(instant{duration{3}}, duration{0}) == instant{duration{3}});
}

TEST_CASE("later stops at the end of time", "[core][base]") {
  CHECK(later(instant{duration{1}}, duration::max()) == instant::max());
  CHECK(later(instant::max(), duration{1}) == instant::max());
  CHECK(later(instant{duration{0}}, duration::max()) == instant::max());
}
