#include "actors/backend/function_backend.hpp"

#include "tests/actors/scheduler/scheduler_world.hpp"

#include <stdexcept>

using namespace counter_tests;
using google::protobuf::Int64Value;

namespace {

result<Int64Value> half(const Int64Value& work) {
  if (work.value() == 13)
    throw std::runtime_error{"unlucky"};
  if (work.value() % 2 != 0)
    return fail(errc::completion, std::to_string(work.value()) + " is odd");
  Int64Value outcome;
  outcome.set_value(work.value() / 2);
  return outcome;
}

wire::SubmitWork halve(std::int64_t number) {
  Int64Value work;
  work.set_value(number);
  return order(work);
}

/// A scheduler whose only backend halves.
struct halving_world : scheduler_world {
  halving_world() : scheduler_world{{testing::hang{}}, wide()} {
    using halves = function_backend_state<Int64Value, decltype(&half)>;
    auto one = turnstile::spawn<halves>(still.system(), "half", &half);
    backends.push_back(one);
    ask<void>(scheduler, join_atom_v, std::string{"mock"}, backends.back());
    still.settle();
  }

  static scheduler_options wide() {
    scheduler_options options;
    options.settings.limits.max_new_submissions_per_turn = 10;
    return options;
  }
};

} // namespace

TEST_CASE("a function can be a backend", "[actors][backend]") {
  auto [number, end] = GENERATE(table<std::int64_t, std::string>({
    {84, "committed 42"},
    {7, "failed: completion: 7 is odd"},
    {13, "failed: completion: half threw: unlucky"},
  }));
  halving_world w;
  auto ended = w.ask<wire::WorkEnded>(w.open(), run_atom_v, halve(number));
  w.still.settle();
  CHECK(text(ended) == end);
}

TEST_CASE("a work that waits for a function is cancelled without running",
          "[actors][backend]") {
  halving_world w;
  auto first = w.ask<wire::Completed>(w.backends.back(), [] {
    wire::Execute what;
    *what.mutable_work_id() = to_wire(work_id{{1}, 0, 0});
    what.set_submission(1);
    what.set_payload(halve(84).work().payload());
    return what;
  }());
  auto quiet = w.ask<wire::Quiet>(w.backends.back(), [] {
    wire::CancelWork which;
    *which.mutable_work_id() = to_wire(work_id{{1}, 0, 0});
    which.set_submission(1);
    return which;
  }());
  w.still.settle();
  REQUIRE(*first);
  CHECK((*first)->value().failure().detail() == "it was cancelled");
  CHECK(*quiet);
}

TEST_CASE("what a function is given must be its work", "[actors][backend]") {
  halving_world w;
  auto answer = w.ask<wire::Completed>(w.backends.back(), [] {
    wire::Execute what;
    *what.mutable_work_id() = to_wire(work_id{{1}, 0, 0});
    what.set_submission(1);
    what.set_payload("\x08");
    return what;
  }());
  w.still.settle();
  REQUIRE(*answer);
  CHECK((*answer)->value().failure().detail()
        == "Execute.payload is no google.protobuf.Int64Value");
}
