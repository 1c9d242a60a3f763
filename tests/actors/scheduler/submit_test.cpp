#include "tests/actors/scheduler/scheduler_world.hpp"

// What a client may submit, and how a refusal reads.

using namespace counter_tests;

namespace {

/// A batch of works that have these deadlines.
wire::SubmitBatch batch(std::vector<std::optional<duration>> deadlines) {
  wire::SubmitBatch message;
  for (const auto& deadline : deadlines)
    *message.add_works() = work(deadline).work();
  return message;
}

scheduler_options two_places() {
  scheduler_options options;
  options.settings.limits = scheduler_limits::of(2, 2);
  options.deadlines = {deadline_policy::scope::work,
                       deadline_policy::until::submission};
  return options;
}

} // namespace

TEST_CASE("a batch is accepted whole and runs in its order",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1), adds(20), adds(300)}};
  auto door = w.open();
  auto accepted = w.ask<wire::Accepted>(door, batch({{}, {}, {}}));
  w.still.settle();
  CHECK(text(accepted) == "accepted 3");
  for (auto [sequence, end] : {std::pair{0, "committed 1"},
                               {1, "committed 20"},
                               {2, "committed 300"}}) {
    auto ended =
      w.ask<wire::WorkEnded>(door, await(static_cast<std::uint64_t>(sequence)));
    w.still.settle();
    CHECK(text(ended) == end);
  }
}

TEST_CASE("a batch that does not fit is refused whole", "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, two_places()};
  auto door = w.open();
  auto refused = w.ask<wire::Accepted>(door, batch({{}, {}, {}}));
  w.still.settle();
  CHECK(text(refused)
        == "capacity: max_queued_work 2 of the scheduler leaves 2 places, not "
           "3; works have to end first");
  CHECK(w.report().submitted_work() == 0);
}

TEST_CASE("each work of a batch has its own deadline", "[actors][scheduler]") {
  auto options = two_places();
  options.settings.limits.max_queued_work = 10;
  scheduler_world w{{testing::hang{}}, options};
  auto door = w.open();
  w.run(door); // keeps the only slot
  w.ask<wire::Accepted>(door, batch({20ms, {}, 10ms}));
  w.still.settle();
  std::vector<pending<wire::WorkEnded>> ends;
  for (std::uint64_t i = 1; i <= 3; ++i)
    ends.push_back(w.ask<wire::WorkEnded>(door, await(i)));
  w.still.advance(10ms);
  CHECK(text(ends[0]) == "-");
  CHECK(text(ends[2]) == "abandoned, EXPIRED");
  w.still.advance(1s);
  CHECK(text(ends[0]) == "abandoned, EXPIRED");
  CHECK(text(ends[1]) == "-");
}

TEST_CASE("an empty batch is accepted and means nothing",
          "[actors][scheduler]") {
  scheduler_world w{{adds(1)}};
  auto accepted = w.ask<wire::Accepted>(w.open(), wire::SubmitBatch{});
  w.still.settle();
  CHECK(text(accepted) == "accepted 0");
}

TEST_CASE("a refused submission says why and changes nothing",
          "[actors][scheduler]") {
  scheduler_world w{{testing::hang{}}, two_places()};
  auto door = w.open();
  auto broken = work();
  broken.mutable_work()->set_payload("\x08"); // ends in the middle of a number
  auto unknown_scope = work();
  unknown_scope.mutable_work()->mutable_deadline()->set_scope(
    static_cast<wire::DeadlineScope>(99));
  w.run(door);
  w.run(door);
  struct row {
    wire::SubmitWork message;
    std::uint64_t request;
    std::string answer;
  };
  for (const auto& [message, whose, answer] : {
         row{broken, 1,
             "invalid_argument: Work.payload is no "
             "google.protobuf.Int64Value"},
         row{unknown_scope, 1,
             "invalid_argument: Work.deadline.scope: 99 is no DeadlineScope"},
         row{work(), 9, "unknown_request: request 9 is not active"},
         row{work(), 1,
             "capacity: max_queued_work 2 of the scheduler leaves 0 places, "
             "not 1; "
             "works have to end first"},
       }) {
    w.still.settle();
    auto refused = w.ask<wire::Accepted>(w.scheduler, of(whose, message));
    w.still.settle();
    CHECK(text(refused) == answer);
    CHECK(w.report().submitted_work() == 2);
  }
  auto nobody = w.ask<wire::Accepted>(w.scheduler, work());
  w.still.settle();
  CHECK(text(nobody) == "invalid_argument: request is missing");
}

TEST_CASE("a scheduler is not made with a limit of zero",
          "[actors][scheduler]") {
  world still;
  scheduler_options options;
  options.settings.limits.max_in_flight_global = 0;
  auto made = spawn_counter_scheduler(still.system(), options);
  REQUIRE_FALSE(made);
  CHECK(to_string(made.error()).find("max_in_flight_global")
        != std::string::npos);
}
