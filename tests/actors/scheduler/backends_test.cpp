#include "actors/scheduler/scheduler_state.hpp"
#include "tests/actors/scheduler/counter_program.hpp"
#include "tests/actors/scheduler/scheduler_world.hpp"
#include "tests/actors/stubborn_backend.hpp"

#include <algorithm>

// Backends that come, go, die and take too long.

using namespace counter_tests;

namespace {

/// Works that name their backend and whose attempts take at most 50 ms, or
/// however long they like at "patient".
struct routed_program : counter_program {
  using work_message = google::protobuf::StringValue;

  static std::string backend_of(const work_message& work) {
    return work.value();
  }

  static attempt_limits limits_of(const work_message& work) {
    return {work.value() == "patient" ? duration::max() : 50ms, {}};
  }
};

wire::SubmitWork for_backend(const std::string& name) {
  google::protobuf::StringValue payload;
  payload.set_value(name);
  auto message = work();
  message.mutable_work()->set_payload(payload.SerializeAsString());
  return message;
}

struct routed_world : scheduler_world {
  explicit routed_world(std::vector<backend_step> steps)
    : scheduler_world{std::move(steps), {}, [](auto& system, auto options) {
                        return spawn_scheduler<routed_program>(
                          system, std::move(options));
                      }} {}
};

pending<wire::WorkEnded> run_on(routed_world& w, const door_actor& door,
                                const std::string& name) {
  return w.ask<wire::WorkEnded>(door, run_atom_v, for_backend(name));
}

} // namespace

TEST_CASE("the death of a backend fails what it was executing",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  auto lost = w.run(w.open());
  w.still.settle();
  w.still.kill(w.mock);
  CHECK(text(lost).starts_with("failed: backend_lost: backend mock is gone: "));
  CHECK(w.report().stale_completions() == 0); // told once, not twice
}

TEST_CASE("a work for which there is no backend any more fails",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  auto door = w.open();
  w.still.kill(w.mock);
  auto failed = w.run(door);
  w.still.settle();
  CHECK(text(failed) == "failed: unknown_backend: unknown backend: mock");
}

TEST_CASE("a work goes to the backend that it names", "[actors][scheduler]") {
  routed_world w{{adds(1)}};
  auto other = w.backend({adds(2)});
  w.ask<void>(w.scheduler, join_atom_v, std::string{"other"}, other);
  w.still.settle();
  auto door = w.open();
  auto to_default = run_on(w, door, "");
  auto to_other = run_on(w, door, "other");
  auto refused = run_on(w, door, "else");
  w.still.settle();
  CHECK(text(to_default) == "committed 1");
  CHECK(text(to_other) == "committed 2");
  CHECK(text(refused) == "unknown_backend: unknown backend: else");
}

TEST_CASE("a backend that leaves ends what it has and gets no more",
          "[actors][scheduler]") {
  routed_world w{{adds(1, 10ms)}};
  auto begun = run_on(w, w.open(1), "mock");
  w.still.settle();
  auto left = w.ask<void>(w.scheduler, leave_atom_v, std::string{"mock"});
  auto again = w.ask<void>(w.scheduler, leave_atom_v, std::string{"mock"});
  w.still.settle();
  CHECK(text(left) == "done");
  CHECK(text(again) == "unknown_backend: unknown backend: mock");
  auto refused = run_on(w, w.open(2), "mock");
  w.still.advance(10ms);
  CHECK(text(begun) == "committed 1");
  CHECK(text(refused) == "unknown_backend: unknown backend: mock");
}

TEST_CASE("a backend that was replaced and then dies is not waited for",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}};
  auto lost = w.run(w.open(1));
  w.still.settle();
  auto next = w.backend({adds(2)});
  w.ask<void>(w.scheduler, join_atom_v, std::string{"mock"}, next);
  w.still.settle();
  w.still.kill(w.mock);
  CHECK(text(lost).starts_with("failed: backend_lost: "));
  auto after = w.run(w.open(2));
  w.still.settle();
  CHECK(text(after) == "committed 2");
}

TEST_CASE("an attempt that takes too long is stopped", "[actors][scheduler]") {
  routed_world w{{testing::hang{}}};
  auto late = run_on(w, w.open(), "");
  w.still.advance(49ms);
  REQUIRE(text(late) == "-");
  w.still.advance(1ms);
  CHECK(text(late) == "failed: completion: the attempt took too long");
  CHECK(w.calls->running() == 0);
  CHECK_FALSE(w.still.has_timer());
}

TEST_CASE("an attempt may take for ever", "[actors][scheduler]") {
  routed_world w{{testing::hang{}}};
  w.ask<void>(w.scheduler, join_atom_v, std::string{"patient"}, w.mock);
  w.still.settle();
  auto hangs = run_on(w, w.open(), "patient");
  w.still.advance(std::chrono::hours{24 * 365});
  CHECK(text(hangs) == "-");
  CHECK_FALSE(w.still.has_timer());
}

TEST_CASE("a backend that keeps a cancelled work past the bound loses it",
          "[actors][scheduler]") {
  scheduler_options options;
  options.settings.reclaim_after = 1s;
  scheduler_world w{{adds(1)}, options};
  auto stubborn = turnstile::spawn<testing::stubborn_state>(w.still.system());
  w.backends.push_back(stubborn);
  w.ask<void>(w.scheduler, join_atom_v, std::string{"mock"}, stubborn);
  w.still.settle();
  auto door = w.open();
  auto kept = w.run(door);
  w.still.settle();
  auto cancelled = w.ask<wire::RequestEnded>(door, wire::CancelRequest{});
  w.still.advance(999ms);
  REQUIRE(text(cancelled) == "-");
  w.still.advance(1ms);
  CHECK(text(kept) == "abandoned, RECLAIMED");
  CHECK(text(cancelled) == "cancelled at 0");
  REQUIRE(w.report().stale_completions() == 0);

  // Its answer comes after all.
  w.ask<wire::BackendCapabilities>(stubborn, wire::BackendCapabilitiesQuery{});
  w.still.settle();
  CHECK(w.report().stale_completions() == 1);
}
