#include "core/turn/poison_latch.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

TEST_CASE("poison_latch keeps its first reason", "[core][turn]") {
  poison_latch latch;
  CHECK(latch.check());
  CHECK_FALSE(latch.is_set());

  latch.set("ranks disagree");
  latch.set("something else");

  CHECK(latch.is_set());
  CHECK(latch.reason() == "ranks disagree");
  CHECK(
    latch.check().error()
    == failure{errc::poisoned, "the scheduler is poisoned: ranks disagree"});
}

TEST_CASE("poison_latch appends what went wrong while cleaning up",
          "[core][turn]") {
  poison_latch latch;
  latch.set("ranks disagree");

  latch.add("a branch was stuck");

  CHECK(latch.reason() == "ranks disagree; a branch was stuck");
}
