#include "core/attempt/backend_gate.hpp"

#include "tests/catch.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace turnstile;
using namespace std::chrono_literals;

namespace {

constexpr auto failed_start = backend_news{true, {}};
constexpr auto went_well = backend_news{};

/// A gate and a clock.
struct gate_world {
  explicit gate_world(const gate_policy& policy = {}) : gate(policy) {}

  /// Whether somebody may pass now, and if not, when: "open", "in 2s", "full".
  [[nodiscard]] std::string state() const {
    if (gate.is_open(now))
      return "open";
    const auto opens = gate.opens_at(now);
    return opens ? "in " + std::to_string((*opens - now) / 1s) + "s" : "full";
  }

  /// One attempt that ends at once.
  void tries(const backend_news& news) { gate.leave(gate.enter(), news, now); }

  backend_gate gate;
  instant now{100s};
};

} // namespace

TEST_CASE("a gate lets as many pass as its backend can do at a time",
          "[core][attempt]") {
  gate_world w{{2}};
  auto first = w.gate.enter();
  CHECK(w.state() == "open");
  w.gate.enter();
  CHECK(w.state() == "full");
  w.gate.leave(first);
  CHECK(w.state() == "open");
}

TEST_CASE("a closed gate lets nobody pass until it is opened",
          "[core][attempt]") {
  gate_policy policy;
  policy.closed = true;
  backend_gate gate{policy};
  CHECK_FALSE(gate.is_open(instant{}));
  CHECK_FALSE(gate.opens_at(instant{}));
  policy.closed = false;
  gate.renew(policy);
  CHECK(gate.is_open(instant{}));
}

TEST_CASE("a backend that keeps failing to start rests longer and longer, "
          "until a probe succeeds",
          "[core][attempt]") {
  gate_world w{{{}, 3, 1s, 2.0, 5s}};
  w.tries(failed_start);
  w.tries(failed_start);
  CHECK(w.state() == "open");
  w.tries(failed_start);
  for (const auto* rest : {"in 1s", "in 2s", "in 4s", "in 5s", "in 5s"}) {
    CHECK(w.state() == rest);
    w.now = *w.gate.opens_at(w.now);
    w.tries(failed_start);
  }
  w.now = *w.gate.opens_at(w.now);
  auto probe = w.gate.enter();
  CHECK(w.state() == "full"); // one probe, whatever the concurrency
  w.gate.leave(probe, went_well, w.now);
  CHECK(w.state() == "open");
  w.tries(failed_start);
  w.tries(failed_start);
  CHECK(w.state() == "open"); // the row begins anew
}

TEST_CASE("only starts that fail in a row send a backend to rest",
          "[core][attempt]") {
  gate_world w{{{}, 3}};
  for (int i = 0; i < 10; ++i) {
    w.tries(failed_start);
    w.tries(failed_start);
    w.tries(went_well);
  }
  CHECK(w.state() == "open");
}

TEST_CASE("a probe that shows nothing is followed by another one",
          "[core][attempt]") {
  gate_world w{{{}, 1}};
  w.tries(failed_start);
  w.now += 1s;
  w.gate.leave(w.gate.enter()); // it was cancelled, say
  CHECK(w.state() == "open");
  w.gate.enter();
  CHECK(w.state() == "full");
}

TEST_CASE("attempts from before a rest neither end nor prolong it",
          "[core][attempt]") {
  gate_world w{{{}, 1}};
  auto early = w.gate.enter();
  auto earlier = w.gate.enter();
  w.tries(failed_start);
  w.gate.leave(early, went_well, w.now);
  w.gate.leave(earlier, failed_start, w.now);
  CHECK(w.state() == "in 1s");
}

TEST_CASE("a gate obeys how long its backend wants no call",
          "[core][attempt]") {
  gate_world w;
  auto other = w.gate.enter();
  w.tries({false, 30s});
  CHECK(w.state() == "in 30s");
  w.gate.leave(other, {false, 10s}, w.now); // what was said stays said
  CHECK(w.state() == "in 30s");
  w.now += 30s;
  CHECK(w.state() == "open");
}

TEST_CASE("rests can be switched off", "[core][attempt]") {
  gate_world w{{{}, 0}};
  for (int i = 0; i < 100; ++i)
    w.tries(failed_start);
  CHECK(w.state() == "open");
}

TEST_CASE("a senseless gate policy is refused by its field",
          "[core][attempt]") {
  auto [policy, refusal] = GENERATE(table<gate_policy, std::string>({
    {{0}, "concurrency must be positive; leave it out for any number"},
    {{{}, 3, 0s}, "first_rest must be positive; with rest_after 0 none rests"},
    {{{}, 3, 2s, 2.0, 1s}, "max_rest must not be shorter than first_rest"},
    {{{}, 3, 1s, 0.5}, "multiplier must be at least 1"},
  }));
  CHECK(validate(policy).error() == failure{errc::invalid_argument, refusal});
  CHECK(validate(gate_policy{}));
}

TEST_CASE("another backend behind the same gate begins with a clean slate",
          "[core][attempt]") {
  gate_world w{{2, 1}};
  auto early = w.gate.enter();
  w.tries(failed_start);
  w.gate.renew({2, 1});
  CHECK(w.state() == "open");
  w.gate.leave(early, failed_start, w.now);
  CHECK(w.state() == "open"); // that was the one before
  CHECK(w.gate.passed() == 0);
}
