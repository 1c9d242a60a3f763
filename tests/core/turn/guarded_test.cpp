#include "core/turn/guarded.hpp"

#include "tests/catch.hpp"

#include <stdexcept>

using namespace turnstile;

TEST_CASE("guarded passes a good answer on", "[core][turn]") {
  auto answer = guarded(errc::state, "branch", [] { return result<int>{5}; });
  CHECK(answer == 5);
}

TEST_CASE("guarded gives a failure the code of its place", "[core][turn]") {
  auto [said, may_conflict, told] = GENERATE(table<errc, bool, errc>({
    {errc::capacity, false, errc::state},
    {errc::conflict, false, errc::state},
    {errc::capacity, true, errc::state},
    {errc::conflict, true, errc::conflict},
  }));
  auto answer = guarded(
    errc::state, "commit", [&] { return status{fail(said, "why")}; },
    may_conflict);

  REQUIRE_FALSE(answer);
  CHECK(answer.error() == failure{told, "why"});
}

TEST_CASE("guarded makes a failure of whatever is thrown", "[core][turn]") {
  auto error = guarded(errc::state, "branch", []() -> result<int> {
    throw std::runtime_error{"out of paper"};
  });
  auto number =
    guarded(errc::state, "branch", []() -> result<int> { throw 5; });

  CHECK(error.error().detail == "branch threw: out of paper");
  CHECK(number.error().detail
        == "branch threw: something that is not a std::exception");
}

TEST_CASE("asked takes the careful answer instead of an exception",
          "[core][turn]") {
  CHECK(asked(false, [] { return true; }));
  CHECK_FALSE(asked(false, []() -> bool { throw 5; }));
}
