#include "tests/catch.hpp"
#include "tests/touch/crowd.hpp"

#include <cstdlib>
#include <functional>
#include <new>

using namespace turnstile;
using namespace turnstile::touch_test;

namespace {

std::uint64_t allocations = 0;

void* allocate(std::size_t bytes) {
  ++allocations;
  if (auto* memory = std::malloc(bytes == 0 ? 1 : bytes))
    return memory;
  throw std::bad_alloc{};
}

} // namespace

// All forms that are not replaced here end in these, but with a sanitizer not
// those that do not throw.
void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& how) noexcept {
  return operator new(bytes, how);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

TEST_CASE("a transition allocates nothing once its tables have grown",
          "[touch]") {
  struct row {
    const char* name;
    std::function<void(crowd&)> transition;
  };
  // `std::function` holds what captures nothing without allocating.
  const auto transitions = GENERATE(values<row>({
    {"enqueue, observe, and a local turn",
     [](crowd& c) {
       const auto work = c.work_of(c.somebody());
       c.enqueue(work.request);
       c.core.observe(work, std::uint32_t{1});
       c.turn();
     }},
    {"enqueue, prepare, submit, complete",
     [](crowd& c) {
       const auto work = c.work_of(c.somebody());
       c.complete(work);
       c.enqueue(work.request);
       c.give_back(*c.core.prepare_bounded(1, c.now));
       c.give_back(*c.core.submit_prepared(c.now, take_it));
     }},
    {"requeue and submit again",
     [](crowd& c) {
       const auto work = c.work_of(c.somebody());
       c.give_back(*c.core.requeue(work, std::nullopt, c.now));
       c.turn();
     }},
    {"park, unpark and resume",
     [](crowd& c) {
       const auto work = c.work_of(c.somebody());
       c.give_back(*c.core.park(work, c.now));
       c.give_back(*c.core.unpark(work, c.now));
       c.turn();
     }},
  }));
  CAPTURE(transitions.name);
  crowd c{1'000, crowd::kind::in_flight};
  for (int warm_up = 0; warm_up < 2'000; ++warm_up)
    transitions.transition(c);

  const auto before = allocations;
  for (int round = 0; round < 1'000; ++round)
    transitions.transition(c);
  const auto made = allocations - before;

  CHECK(made == 0);
  c.core.audit();
}
