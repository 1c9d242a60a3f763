#include "core/attempt/quota.hpp"

#include "tests/catch.hpp"

#include <string>

using namespace turnstile;

namespace {

std::string render(const status& outcome) {
  return outcome ? "ok" : to_string(outcome.error());
}

} // namespace

TEST_CASE("quota admits up to its limit and then says how far it got",
          "[core][attempt]") {
  auto [limit, refusal] = GENERATE(table<std::uint32_t, std::string>({
    {0, "quota_exceeded: quota exceeded: limit=0, used=0"},
    {1, "quota_exceeded: quota exceeded: limit=1, used=1"},
    {3, "quota_exceeded: quota exceeded: limit=3, used=3"},
  }));
  auto tasks = quota{limit};
  for (std::uint32_t taken = 0; taken < limit; ++taken) {
    CHECK(tasks.used() == taken);
    CHECK(render(tasks.take()) == "ok");
  }
  CHECK(render(tasks.take()) == refusal);
}

TEST_CASE("quota does not count what it refuses", "[core][attempt]") {
  auto tasks = quota{2};
  for (int tries = 0; tries < 5; ++tries)
    static_cast<void>(tasks.take());
  CHECK(tasks.used() == 2);
  CHECK(render(tasks.take())
        == "quota_exceeded: quota exceeded: limit=2, used=2");
}

TEST_CASE("quota uses nothing up by being asked", "[core][attempt]") {
  auto tasks = quota{1};
  CHECK(render(tasks.check()) == "ok");
  CHECK(render(tasks.check()) == "ok");
  CHECK(tasks.used() == 0);
  CHECK(render(tasks.take()) == "ok");
  CHECK(render(tasks.check())
        == "quota_exceeded: quota exceeded: limit=1, used=1");
}

TEST_CASE("quota admits a thousand tasks unless told otherwise",
          "[core][attempt]") {
  CHECK(quota{}.limit() == 1000);
}
