#include "core/base/chain.hpp"

#include "core/base/slab.hpp"
#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

#include <deque>
#include <random>
#include <string>
#include <vector>

using namespace turnstile;

namespace {

using links_table = std::vector<chain_link<work_slot>>;

struct link_of {
  auto& operator()(auto& links, work_slot slot) const {
    return links[index_of(slot)];
  }
};

using slots = chain<work_slot, link_of>;

work_slot nth(std::size_t n) {
  return static_cast<work_slot>(n);
}

std::string render(const slots& chain, links_table& links) {
  chain.audit(links);
  std::string out;
  for (auto slot = chain.first(); slot != work_slot::none;
       slot = chain.after(links, slot))
    out += std::to_string(index_of(slot)) + ' ';
  return out;
}

} // namespace

TEST_CASE("chain keeps what joins at the back and at the front in order",
          "[core][base]") {
  links_table links(8);
  slots chain;
  CHECK(chain.empty());
  CHECK(chain.first() == work_slot::none);

  chain.push_back(links, nth(1));
  chain.push_back(links, nth(2));
  chain.push_front(links, nth(3));

  CHECK(render(chain, links) == "3 1 2 ");
  CHECK(chain.first() == nth(3));
  CHECK(chain.last() == nth(2));
  CHECK(chain.size() == 3);
}

TEST_CASE("chain lets a record leave wherever it stands", "[core][base]") {
  auto [gone, left] =
    GENERATE(Catch::Generators::table<std::size_t, std::string>({
      {1, "2 3 "},
      {2, "1 3 "},
      {3, "1 2 "},
    }));
  CAPTURE(gone);
  links_table links(8);
  slots chain;
  for (auto n : {1, 2, 3})
    chain.push_back(links, nth(static_cast<std::size_t>(n)));

  chain.remove(links, nth(gone));

  CHECK(render(chain, links) == left);
  CHECK(links[gone].before == work_slot::none);
  CHECK(links[gone].after == work_slot::none);
}

TEST_CASE("chain that loses its only record is empty", "[core][base]") {
  links_table links(8);
  slots chain;
  chain.push_front(links, nth(4));

  chain.remove(links, nth(4));

  CHECK(render(chain, links).empty());
  CHECK(chain.first() == work_slot::none);
  CHECK(chain.last() == work_slot::none);
}

TEST_CASE("chain audits its links", "[core][base]") {
  checks_throw guard;
  links_table links(8);
  slots chain;
  chain.push_back(links, nth(1));
  chain.push_back(links, nth(2));

  links[2].before = nth(5);

  CHECK_THROWS_AS(chain.audit(links), broken_invariant);
}

TEST_CASE("chain agrees with a deque over a long random run", "[core][base]") {
  std::mt19937 random{7};
  links_table links(64);
  slots chain;
  std::deque<work_slot> model;

  for (int step = 0; step < 5'000; ++step) {
    const auto slot = nth(random() % links.size());
    const auto found = std::find(model.begin(), model.end(), slot);
    if (found != model.end()) {
      chain.remove(links, slot);
      model.erase(found);
    } else if (random() % 2 == 0) {
      chain.push_back(links, slot);
      model.push_back(slot);
    } else {
      chain.push_front(links, slot);
      model.push_front(slot);
    }
    std::string expected;
    for (auto member : model)
      expected += std::to_string(index_of(member)) + ' ';
    REQUIRE(render(chain, links) == expected);
  }
}
