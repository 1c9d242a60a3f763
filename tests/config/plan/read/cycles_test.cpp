#include "config/plan/read/cycles.hpp"

#include "tests/catch.hpp"

#include <string>

using namespace turnstile::config;

namespace {

std::string told(const needs_graph& needs, std::size_t max_cycles = 10) {
  std::string out;
  for (const auto& cycle : find_cycles(needs, max_cycles)) {
    for (const auto node : cycle)
      out += std::to_string(node) + ' ';
    out += '|';
  }
  return out;
}

} // namespace

TEST_CASE("cycles begin with their lowest node and share none",
          "[config][plan]") {
  using graph = needs_graph;
  const auto [needs, cycles] = GENERATE(table<graph, std::string>({
    {graph{}, ""},
    {graph{{}}, ""},
    {graph{{1}, {2}, {}}, ""},
    {graph{{1, 2}, {2}, {}}, ""},
    {graph{{0}}, "0 |"},
    {graph{{1}, {0}}, "0 1 |"},
    {graph{{1}, {2}, {0}}, "0 1 2 |"},
    {graph{{2}, {}, {1, 3}, {2}}, "2 3 |"},         // 0 only leads to it.
    {graph{{1}, {0}, {3}, {2}, {0}}, "0 1 |2 3 |"}, // 4 only needs it.
    {graph{{1, 2}, {0}, {0}}, "0 1 |"},             // Two that share 0.
    {graph{{1}, {1}}, "1 |"},
  }));
  CHECK(told(needs) == cycles);
}

TEST_CASE("no more cycles are looked for than are wanted", "[config][plan]") {
  CHECK(told({{0}, {1}, {2}}, 2) == "0 |1 |");
}

TEST_CASE("a cycle through 100,000 nodes is found without recursion",
          "[config][plan]") {
  needs_graph needs(100'000);
  for (std::size_t i = 0; i < needs.size(); ++i)
    needs[i].push_back((i + 1) % needs.size());
  const auto cycles = find_cycles(needs, 1);
  REQUIRE(cycles.size() == 1);
  CHECK(cycles.front().size() == needs.size());
  needs.back().clear();
  CHECK(find_cycles(needs, 1).empty());
}
