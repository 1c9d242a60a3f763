#include "messages/translate/deadline.hpp"

#include "tests/catch.hpp"

#include <chrono>
#include <limits>
#include <string>

using namespace std::chrono_literals;
using namespace turnstile;

namespace {

using scope = deadline_policy::scope;
using until = deadline_policy::until;

constexpr instant at(duration since_epoch) {
  return instant{since_epoch};
}

} // namespace

TEST_CASE("a deadline keeps its distance on a clock that shows another time",
          "[messages][translate]") {
  auto sent = to_wire({at(100s), {scope::work, until::commit}}, at(90s));
  CHECK(sent.remaining_ns() == 10'000'000'000);
  auto received = from_wire(sent, at(5s));
  REQUIRE(received);
  CHECK(received->deadline == at(15s));
  CHECK(received->policy == deadline_policy{scope::work, until::commit});
}

TEST_CASE("a deadline that has passed stays in the past",
          "[messages][translate]") {
  auto received = from_wire(to_wire({at(1s), {}}, at(3s)), at(7s));
  CHECK(received->deadline == at(5s));
  CHECK(received->policy == deadline_policy{scope::request, until::submission});
}

TEST_CASE("a deadline that says nothing is none, by the layer's own policy",
          "[messages][translate]") {
  auto policy = deadline_policy{scope::work, until::commit};
  auto received = from_wire(wire::Deadline{}, at(7s), policy);
  REQUIRE(received);
  CHECK(received->deadline == std::nullopt);
  CHECK(received->policy == policy);
  CHECK_FALSE(to_wire(work_options{}, at(7s)).has_remaining_ns());
}

TEST_CASE("a deadline with an unknown choice is refused by name",
          "[messages][translate]") {
  wire::Deadline message;
  message.set_scope(wire::DeadlineScope{9});
  CHECK(to_string(from_wire(message, {}, {}, "Work.deadline").error())
        == "invalid_argument: Work.deadline.scope: 9 is no DeadlineScope");
  message.set_scope(wire::DEADLINE_SCOPE_WORK);
  message.set_enforcement(wire::DeadlineEnforcement{9});
  CHECK(to_string(from_wire(message, {}).error())
        == "invalid_argument: Deadline.enforcement: 9 is no "
           "DeadlineEnforcement");
}

TEST_CASE("times too far apart to be counted do not wrap",
          "[messages][translate]") {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  CHECK(due_at(most, at(1s)) == instant::max());
  CHECK(due_at(most, at(0s)) == instant::max());
  CHECK(due_at(least, at(-1s)) == instant::min());
  CHECK(due_at(most, instant::min()) == at(-1ns));
  CHECK(remaining_ns(instant::max(), at(-1s)) == most);
  CHECK(remaining_ns(instant::min(), at(1s)) == least);
  CHECK(remaining_ns(instant::max(), instant::min()) == most);
  CHECK(remaining_ns(instant::max(), instant::max()) == 0);
}
