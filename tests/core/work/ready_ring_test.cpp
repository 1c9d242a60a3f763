#include "core/work/ready_ring.hpp"

#include "tests/catch.hpp"
#include "tests/core/broken_invariant.hpp"

#include <string>

using namespace turnstile;

namespace {

request_slot nth(std::size_t n) {
  return static_cast<request_slot>(n);
}

/// A ring of these requests, all of them unblocked.
ready_ring ring_of(std::initializer_list<std::size_t> members) {
  ready_ring ring;
  for (auto n : members)
    ring.arm(nth(n), false);
  return ring;
}

std::string order(const ready_ring& ring) {
  ring.audit();
  std::string out;
  for (auto slot : ring.order())
    out += std::to_string(index_of(slot)) + ' ';
  return out;
}

/// Gives so many turns and renders whose they were; `-` is nobody's.
std::string turns(ready_ring& ring, int count) {
  std::string out;
  while (count-- > 0) {
    auto slot = ring.take_turn();
    out += slot == request_slot::none ? "-" : std::to_string(index_of(slot));
    out += ' ';
  }
  ring.audit();
  return out;
}

} // namespace

TEST_CASE("ready_ring gives turns in the order in which requests were armed",
          "[core][work]") {
  auto ring = ring_of({3, 1, 2});
  CHECK(turns(ring, 7) == "3 1 2 3 1 2 3 ");
}

TEST_CASE("ready_ring lets everybody else go before a request that joins",
          "[core][work]") {
  auto ring = ring_of({1, 2, 3});
  CHECK(turns(ring, 1) == "1 ");

  ring.arm(nth(4), false);

  CHECK(order(ring) == "2 3 1 4 ");
}

TEST_CASE("ready_ring passes a blocked request over, and keeps its turn",
          "[core][work]") {
  auto ring = ring_of({1, 2, 3});
  ring.set_blocked(nth(1), true);
  CHECK(turns(ring, 2) == "2 3 ");

  ring.set_blocked(nth(1), false);

  CHECK(turns(ring, 2) == "1 2 ");
}

TEST_CASE("ready_ring moves nothing when all are blocked", "[core][work]") {
  auto ring = ring_of({1, 2});
  ring.set_blocked(nth(1), true);
  ring.set_blocked(nth(2), true);

  CHECK(turns(ring, 3) == "- - - ");

  CHECK_FALSE(ring.has_unblocked());
  CHECK(order(ring) == "1 2 ");
}

TEST_CASE("ready_ring forgets a disarmed request", "[core][work]") {
  auto [gone, left] = GENERATE(table<std::size_t, std::string>({
    {2, "3 1 "}, // whose turn it is: the next one has it
    {3, "2 1 "},
    {1, "2 3 "},
    {9, "2 3 1 "}, // not there
  }));
  CAPTURE(gone);
  auto ring = ring_of({1, 2, 3});
  ring.take_turn();

  ring.disarm(nth(gone));

  CHECK_FALSE(ring.holds(nth(gone)));
  CHECK(order(ring) == left);
}

TEST_CASE("ready_ring that lost its last request starts again",
          "[core][work]") {
  auto ring = ring_of({5});
  ring.disarm(nth(5));
  CHECK(ring.size() == 0);
  CHECK(ring.take_turn() == request_slot::none);

  ring.arm(nth(6), false);

  CHECK(turns(ring, 2) == "6 6 ");
}

TEST_CASE("ready_ring takes a request that is armed blocked", "[core][work]") {
  auto ring = ring_of({1});
  ring.arm(nth(2), true);

  CHECK(ring.is_blocked(nth(2)));
  CHECK(turns(ring, 2) == "1 1 ");
  ring.set_blocked(nth(2), false);
  CHECK(turns(ring, 2) == "2 1 ");
}

TEST_CASE("ready_ring holds a request at most once", "[core][work]") {
  checks_throw guard;
  auto ring = ring_of({1});

  CHECK_THROWS_AS(ring.arm(nth(1), true), broken_invariant);
  CHECK_THROWS_AS(ring.set_blocked(nth(2), true), broken_invariant);
}
