#include "core/attempt/gate_line.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <string>

using namespace turnstile;

namespace {

work_id work(std::uint64_t request, std::uint64_t sequence) {
  return {{request}, sequence, 1};
}

std::string order(gate_line& line) {
  std::string all;
  while (auto next = line.take_next())
    all += (all.empty() ? "" : " ") + to_string(*next);
  return all;
}

} // namespace

TEST_CASE("a request with many works does not keep the others waiting at a "
          "gate",
          "[core][attempt]") {
  gate_line line;
  for (std::uint64_t i = 0; i < 4; ++i)
    line.join(work(1, i));
  line.join(work(2, 0));
  line.join(work(2, 1));
  line.join(work(3, 0));
  CHECK(order(line) == "1/0 2/0 3/0 1/1 2/1 1/2 1/3");
}

TEST_CASE("a request that comes late waits for one work of each other",
          "[core][attempt]") {
  gate_line line;
  for (std::uint64_t i = 0; i < 5; ++i)
    line.join(work(1, i));
  CHECK(to_string(*line.take_next()) == "1/0");
  CHECK(to_string(*line.take_next()) == "1/1");
  line.join(work(2, 0));
  CHECK(order(line) == "1/2 2/0 1/3 1/4");
}

TEST_CASE("works that return pass a gate first", "[core][attempt]") {
  gate_line line;
  line.join(work(1, 0));
  line.join_returning(work(2, 7));
  line.join_returning(work(1, 9));
  CHECK(order(line) == "2/7 1/9 1/0");
}

TEST_CASE("a work can leave a gate's line from anywhere", "[core][attempt]") {
  gate_line line;
  line.join(work(1, 0));
  line.join(work(1, 1));
  line.join_returning(work(2, 0));
  CHECK(line.leave(work(1, 0)));
  CHECK(line.leave(work(2, 0)));
  CHECK_FALSE(line.leave(work(2, 0)));
  CHECK(line.size() == 1);
  CHECK(order(line) == "1/1");
  CHECK(line.empty());
}
