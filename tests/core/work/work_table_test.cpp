#include "core/work/work_table.hpp"

#include "tests/catch.hpp"

using namespace turnstile;

namespace {

request_slot owner(std::size_t n) {
  return static_cast<request_slot>(n);
}

} // namespace

TEST_CASE("work_table finds a work by its owner and sequence", "[core][work]") {
  work_table table;
  auto first = table.take({{1}, 0, 0}, owner(3));
  auto second = table.take({{1}, 1, 0}, owner(3));
  auto other = table.take({{1}, 0, 1}, owner(4)); // another life of request 1
  table.audit();

  CHECK(table.find(owner(3), 0) == first);
  CHECK(table.find(owner(3), 1) == second);
  CHECK(table.find(owner(4), 0) == other);
  CHECK(table.find(owner(4), 1) == std::nullopt);
}

TEST_CASE("work_table forgets what is given back and takes its place again",
          "[core][work]") {
  work_table table;
  auto gone = table.take({{1}, 0, 0}, owner(3));
  table[gone].conflicts = 2;

  table.give_back(gone);
  auto fresh = table.take({{1}, 5, 0}, owner(3));
  table.audit();

  CHECK(fresh == gone);
  CHECK(table[fresh].conflicts == 0);
  CHECK(table.find(owner(3), 0) == std::nullopt);
  CHECK(table.size() == 1);
}
