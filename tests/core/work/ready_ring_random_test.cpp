#include "core/work/ready_ring.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <set>
#include <vector>

using namespace turnstile;

namespace {

/// What the ring must look like from outside, the plain way: a deque whose
/// front has its turn. Who is blocked goes to the back unserved, until a whole
/// round was fruitless; the front is served and goes to the back.
class plain_ring {
public:
  void arm(request_slot slot, bool is_blocked) {
    line_.push_back(slot);
    set_blocked(slot, is_blocked);
  }

  void disarm(request_slot slot) {
    std::erase(line_, slot);
    blocked_.erase(slot);
  }

  void set_blocked(request_slot slot, bool is_blocked) {
    if (is_blocked)
      blocked_.insert(slot);
    else
      blocked_.erase(slot);
  }

  /// Serves at most one. A fruitless round ends where it began.
  request_slot take_turn() {
    for (std::size_t stalled = 0; stalled < line_.size(); ++stalled) {
      auto front = line_.front();
      line_.pop_front();
      line_.push_back(front);
      if (!blocked_.contains(front))
        return front;
    }
    return request_slot::none;
  }

  [[nodiscard]] std::vector<request_slot> order() const {
    return {line_.begin(), line_.end()};
  }

private:
  std::deque<request_slot> line_;
  std::set<request_slot> blocked_;
};

} // namespace

TEST_CASE("ready_ring agrees with a plain rotating queue", "[core][work]") {
  const auto [seed, members] = GENERATE(table<unsigned, unsigned>({
    {1, 3},
    {2, 10},
    {3, 50},
    {4, 200},
  }));
  CAPTURE(seed, members);
  std::mt19937 random{seed};
  ready_ring ring;
  plain_ring plain;

  for (int step = 0; step < 8'000; ++step) {
    const auto slot = static_cast<request_slot>(random() % members);
    switch (random() % 5) {
    case 0:
      if (ring.holds(slot)) {
        ring.disarm(slot);
        plain.disarm(slot);
        break;
      }
      [[fallthrough]];
    case 1:
    case 2: {
      const auto blocked = random() % 2 == 0;
      if (ring.holds(slot)) {
        ring.set_blocked(slot, blocked);
        plain.set_blocked(slot, blocked);
      } else {
        ring.arm(slot, blocked);
        plain.arm(slot, blocked);
      }
      break;
    }
    default:
      REQUIRE(ring.take_turn() == plain.take_turn());
    }
    REQUIRE(ring.order() == plain.order());
    if (step % 100 == 0)
      ring.audit();
  }
}

TEST_CASE("ready_ring lets nobody wait for more than one turn of each other",
          "[core][work]") {
  constexpr std::size_t members = 40;
  std::mt19937 random{11};
  ready_ring ring;
  for (std::size_t n = 0; n < members; ++n)
    ring.arm(static_cast<request_slot>(n), false);
  std::vector<std::size_t> waited(members, 0);

  for (int step = 0; step < 4'000; ++step) {
    // Blocked or not, a ready request is served after at most all others.
    const auto slot = static_cast<request_slot>(random() % members);
    const auto blocked = random() % 3 == 0;
    ring.set_blocked(slot, blocked);
    if (blocked)
      waited[index_of(slot)] = 0;
    const auto served = ring.take_turn();
    if (served == request_slot::none)
      continue;
    for (std::size_t n = 0; n < members; ++n)
      if (!ring.is_blocked(static_cast<request_slot>(n)))
        ++waited[n];
    waited[index_of(served)] = 0;
    REQUIRE(*std::max_element(waited.begin(), waited.end()) < members);
  }
}
