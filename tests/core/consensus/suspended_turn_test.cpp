#include "tests/catch.hpp"
#include "tests/core/consensus/scripted_group.hpp"
#include "tests/core/turn/counter_program.hpp"

using namespace turnstile;

namespace {

constexpr std::uint64_t protocol = 42;

/// Alice has one work; the other rank answers when the test lets it.
struct suspended {
  counting_scheduler scheduler = counting_with(scheduler_limits{});
  adder backend;
  scripted_group ranks{2};
  work_id id;

  suspended() {
    ranks.answers_later = true;
    REQUIRE(scheduler.register_request(alice, {}));
    id = *scheduler.enqueue(alice, {7});
  }

  counting_scheduler::outcome begin(std::int64_t now) {
    return *scheduler.run_distributed_turn(protocol, ranks, at(now),
                                           backend.executor());
  }

  counting_scheduler::outcome resume(std::int64_t now) {
    return *scheduler.resume_turn(ranks.frames(), at(now), backend.executor());
  }
};

} // namespace

TEST_CASE("distributed turn stops in named phases and goes on when resumed",
          "[core][consensus]") {
  suspended s;

  CHECK(s.begin(1).waiting == turn_phase::agree_observation);
  CHECK(s.scheduler.phase() == turn_phase::agree_observation);
  CHECK(s.resume(2).waiting == turn_phase::agree_schedule);
  CHECK(s.scheduler.phase() == turn_phase::agree_schedule);
  CHECK(s.backend.order.empty());
  auto out = s.resume(3);

  CHECK(out.waiting == turn_phase::idle);
  CHECK(s.scheduler.phase() == turn_phase::idle);
  CHECK(out.submitted.size() == 1);
}

TEST_CASE("distributed turn asks two rounds, whatever happens",
          "[core][consensus]") {
  suspended s;
  s.ranks.answers_later = false;
  for (auto request : {bob, request_id{3}, request_id{4}}) {
    REQUIRE(s.scheduler.register_request(request, {}));
    REQUIRE(s.scheduler.enqueue(request, {1}, {at(5), {}}));
  }

  s.begin(9); // three requests expire, one work is submitted

  REQUIRE(s.ranks.asked.size() == 2);
  CHECK(s.ranks.asked[0].kind == frame_kind::observation);
  CHECK(s.ranks.asked[0].round == 1);
  CHECK(s.ranks.asked[1].kind == frame_kind::schedule);
  CHECK(s.ranks.asked[1].round == 2);
  CHECK(s.ranks.asked[1].protocol == protocol);
}

TEST_CASE("distributed turn says in its frames what the ranks compare",
          "[core][consensus]") {
  suspended s;
  s.ranks.answers_later = false;
  REQUIRE(s.scheduler.register_request(bob, {}));
  REQUIRE(s.scheduler.enqueue(bob, {1}, {at(1), {}}));
  using words = std::vector<std::uint64_t>;

  s.begin(1);
  CHECK(s.ranks.asked[0].words == words{1, 2, 0, 0}); // bob expired
  CHECK(s.ranks.asked[1].words == words{1, 1, 0, 0, 0, 1, 7, 0, 0}); // 1/0, "7"

  s.backend.finishes(s.id);
  s.begin(2);
  CHECK(s.ranks.asked[2].words == words{0, 1, 1, 0, 0, 1, 0}); // 1/0 complete
  CHECK(s.ranks.asked[3].words == words{0, 0, 0});
}

TEST_CASE("distributed turn of one rank asks nobody", "[core][consensus]") {
  suspended s;
  scripted_group alone{1};

  auto out = s.scheduler.run_distributed_turn(protocol, alone, at(1),
                                              s.backend.executor());

  REQUIRE(out);
  CHECK(out->submitted.size() == 1);
  CHECK(alone.asked.empty());
}

TEST_CASE("waiting turn refuses the verbs that would change it",
          "[core][consensus]") {
  suspended s;
  s.begin(1);
  auto refused = [](const auto& answer) {
    return !answer && answer.error().code == errc::turn_in_progress;
  };

  CHECK(refused(s.scheduler.enqueue(alice, {8})));
  CHECK(refused(s.scheduler.register_request(bob, {})));
  CHECK(refused(s.scheduler.cancel(alice, at(2))));
  CHECK(refused(s.scheduler.finish(alice, at(2))));
  CHECK(refused(s.scheduler.prepare_bounded(1, at(2))));
  CHECK(refused(s.scheduler.submit_prepared(at(2), s.backend.executor())));
  CHECK(refused(s.scheduler.run_local_turn(at(2), s.backend.executor())));
  CHECK(refused(s.scheduler.run_distributed_turn(protocol, s.ranks, at(2),
                                                 s.backend.executor())));
  CHECK(refused(s.scheduler.requeue(s.id, std::nullopt, at(2))));
  CHECK(refused(s.scheduler.park(s.id, at(2))));
  CHECK(refused(s.scheduler.edit_state(alice, [](counter&) {})));
  s.resume(3);
  CHECK(s.resume(4).submitted.size() == 1); // and nothing is lost
  CHECK(s.scheduler.enqueue(alice, {8}));
}

TEST_CASE("waiting turn leaves looking and completions open",
          "[core][consensus]") {
  suspended s;
  s.begin(1);
  s.resume(2);
  s.resume(3);
  s.begin(4);

  CHECK(s.scheduler.status_of(alice) == request_status::active);
  CHECK(s.scheduler.next_wake(at(5)) == std::nullopt); // the ranks will say
  CHECK(s.scheduler.complete(s.id, no_outcome{}, at(5)).committed.empty());
  CHECK(s.resume(6).committed.empty()); // this rank had said: not yet
  s.resume(7);
  s.begin(8);
  CHECK(s.resume(9).committed.size() == 1);
}

TEST_CASE("cancel among ranks waits for them, too", "[core][consensus]") {
  suspended s;

  auto out = s.scheduler.cancel_distributed(protocol, alice, s.ranks, at(1));

  REQUIRE(out);
  CHECK(out->waiting == turn_phase::agree_disposition);
  CHECK(s.scheduler.status_of(alice) == request_status::active);
  CHECK(s.ranks.asked[0].words == std::vector<std::uint64_t>{1, 1});
  CHECK(s.resume(2).ended.size() == 1);
  CHECK(s.scheduler.status_of(alice) == request_status::cancelled);
}

TEST_CASE("ranks that answer in the wrong number poison", "[core][consensus]") {
  auto count = GENERATE(0u, 1u, 3u);
  suspended s;
  s.begin(1);
  auto frames = s.ranks.frames();
  frames.resize(count);

  auto out =
    s.scheduler.resume_turn(std::move(frames), at(2), s.backend.executor());

  REQUIRE(out);
  REQUIRE(out->poisoned);
  CHECK(to_string(*out->poisoned)
        == "consensus: " + std::to_string(count)
             + " of 2 ranks answered in round 1");
  CHECK(s.scheduler.phase() == turn_phase::idle);
}

TEST_CASE("ranks that never answer poison with the reason",
          "[core][consensus]") {
  suspended s;
  s.begin(1);

  auto out = s.scheduler.resume_turn(fail(errc::consensus, "rank 1 is gone"),
                                     at(2), s.backend.executor());

  REQUIRE(out);
  REQUIRE(out->poisoned);
  CHECK(out->poisoned->detail == "rank 1 is gone");
  CHECK(out->dropped.size() == 1); // its work is told
  CHECK(out->ended.size() == 1);
}

TEST_CASE("frames of another round poison", "[core][consensus]") {
  suspended s;
  s.begin(1);
  auto frames = s.ranks.frames();
  frames[1].round = 9;

  auto out =
    s.scheduler.resume_turn(std::move(frames), at(2), s.backend.executor());

  REQUIRE(out);
  REQUIRE(out->poisoned);
  CHECK(out->poisoned->detail
        == "rank 1 differs in round 1: round is 9 there and 1 here");
}

TEST_CASE("nothing is resumed when no turn waits", "[core][consensus]") {
  suspended s;
  auto frames = std::vector<frame>(2);

  auto out = s.scheduler.resume_turn(frames, at(1), s.backend.executor());

  REQUIRE_FALSE(out);
  CHECK(out.error().code == errc::invalid_argument);
}

TEST_CASE("poison by the host ends the wait", "[core][consensus]") {
  suspended s;
  s.begin(1);

  auto out = s.scheduler.poison("the host gives up", at(2));

  CHECK(out.ended.size() == 1);
  CHECK(s.scheduler.phase() == turn_phase::idle);
  CHECK_FALSE(
    s.scheduler.resume_turn(s.ranks.frames(), at(3), s.backend.executor()));
}
