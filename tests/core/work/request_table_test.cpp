#include "core/work/request_table.hpp"

#include "tests/catch.hpp"
#include "tests/core/alice_and_bob.hpp"

#include <vector>

using namespace turnstile;

TEST_CASE("request_table gives every registration a life of its own",
          "[core][work]") {
  request_table table;
  auto first = table.add(alice);
  table[first].forgotten = true;

  auto second = table.add(alice);
  auto other = table.add(bob);
  table.audit();

  CHECK(table[first].life < table[second].life);
  CHECK(table[second].life < table[other].life);
  CHECK(table.find(alice, table[first].life) == first);
  CHECK(table.find(alice, table[second].life) == second);
  CHECK(table.find(bob, table[second].life) == std::nullopt);
}

TEST_CASE("request_table knows the newest life and whose the identity is",
          "[core][work]") {
  request_table table;
  CHECK(table.newest(alice) == std::nullopt);
  auto first = table.add(alice);
  CHECK(table.owner_of(alice) == first);

  table[first].forgotten = true;

  CHECK(table.newest(alice) == first);
  CHECK(table.owner_of(alice) == std::nullopt);
  auto second = table.add(alice);
  CHECK(table.newest(alice) == second);
  CHECK(table.owner_of(alice) == second);
  CHECK(table[second].older == first);
}

TEST_CASE("request_table drops any life out of the middle of its order",
          "[core][work]") {
  auto gone = GENERATE(0u, 1u, 2u);
  CAPTURE(gone);
  request_table table;
  std::vector<request_slot> lives;
  for (int i = 0; i < 3; ++i) {
    lives.push_back(table.add(alice));
    table[lives.back()].forgotten = true;
  }
  const auto life = table[lives[gone]].life;

  table.drop(lives[gone]);
  table.audit();

  CHECK(table.size() == 2);
  CHECK(table.find(alice, life) == std::nullopt);
  CHECK(table.newest(alice) == (gone == 2 ? lives[1] : lives[2]));
}

TEST_CASE("request_table never uses a life twice, not even a dropped one",
          "[core][work]") {
  request_table table;
  auto first = table.add(alice);
  const auto life = table[first].life;
  table.drop(first);
  CHECK(table.newest(alice) == std::nullopt);

  auto second = table.add(alice);

  CHECK(table[second].life > life);
}
