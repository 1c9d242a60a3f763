#include "tests/actors/rank/rank_world.hpp"

using namespace counter_tests;
using Catch::Matchers::ContainsSubstring;

namespace {

using kind = command_kind;

/// A rank world whose ranks know each other and have request 1.
struct met_world : rank_world {
  explicit met_world(std::size_t of) : rank_world{of} {
    meet();
    tell(0, command(kind::register_request, 1));
    still.settle();
  }
};

} // namespace

TEST_CASE("a command to any rank is done by all of them", "[actors][rank]") {
  auto count = GENERATE(1u, 2u, 3u, 5u);
  CAPTURE(count);
  rank_world w{count};
  w.meet();
  auto registered = w.tell(count - 1, w.command(kind::register_request, 7));
  w.still.settle();
  auto accepted = w.tell(count / 2, w.works(7, 2));
  w.still.settle();

  CHECK(text(registered) == "done");
  CHECK(text(accepted) == "done 7/0 7/1");
  for (std::size_t rank = 0; rank < count; ++rank) {
    auto ended = w.await(rank, 7, 1);
    w.still.settle();
    CHECK(text(ended) == "committed 1");
    CHECK(w.report(rank).completed_work() == 2);
  }
  auto released = w.tell(0, w.command(kind::release, 7));
  w.still.settle();
  CHECK(text(released) == "done at 2");
}

TEST_CASE("a command that is refused is refused by all", "[actors][rank]") {
  met_world w{3};
  auto again = w.tell(1, w.command(kind::register_request, 1));
  auto unknown = w.tell(2, w.works(9, 1));
  auto forget = w.tell(2, w.command(kind::forget, 1));
  auto finish = w.tell(1, w.command(kind::finish, 1));
  auto forgotten = w.tell(0, w.command(kind::forget, 1));
  w.still.settle();

  CHECK(text(again) == "duplicate_request: request 1 is active");
  CHECK(text(unknown) == "unknown_request: request 9 is not active");
  CHECK(text(finish) == "done");
  CHECK(w.frozen(2).empty());
}

TEST_CASE("commands that come together share a turn", "[actors][rank]") {
  met_world w{3};
  const auto before = w.look(0).next_round();
  for (std::uint64_t id = 10; id < 20; ++id)
    w.tell(id % 3, w.command(kind::register_request, id));
  w.still.settle();

  CHECK(w.report(1).active_requests() == 11);
  CHECK(w.look(0).next_round() - before <= 6); // three turns, not ten
}

TEST_CASE("an idle group says nothing for ten seconds", "[actors][rank]") {
  met_world w{3};
  w.tell(0, w.works(1, 1));
  w.still.settle();
  w.still.advance(5s); // the timers of past rounds

  const auto round = w.look(0).next_round();
  CHECK_FALSE(w.still.has_timer());
  w.still.advance(10s);

  CHECK_FALSE(w.still.step());
  CHECK(w.look(2).next_round() == round);
}

TEST_CASE("a failure on one rank is told by all, with its number",
          "[actors][rank]") {
  rank_world w{3};
  w.spawn(1, 3, {testing::fail_with{{errc::completion, "no paper"}}});
  w.meet();
  w.tell(0, w.command(kind::register_request, 1));
  w.tell(0, w.works(1, 1));
  w.still.settle();

  for (std::size_t rank = 0; rank < 3; ++rank) {
    auto ended = w.await(rank, 1, 0);
    w.still.settle();
    CHECK(text(ended)
          == "failed: distributed_completion: work 1/0 failed on rank 1: no "
             "paper");
    CHECK(w.frozen(rank).empty());
  }
}

TEST_CASE("the death of one rank's backend fails the work, not the group",
          "[actors][rank]") {
  rank_world w{3};
  w.spawn(2, 3, {testing::hang{}});
  w.meet();
  w.tell(0, w.command(kind::register_request, 1));
  w.tell(0, w.command(kind::register_request, 2));
  w.tell(0, w.works(1, 1));
  w.still.settle();
  auto lost = w.await(0, 1, 0);
  w.still.kill(w.backends[2]);

  CHECK_THAT(text(lost), ContainsSubstring("work 1/0 failed on rank 2: "));
  auto next = w.tell(0, w.works(2, 1));
  w.still.settle();
  auto ended = w.await(1, 2, 0, 1);
  w.still.settle();
  CHECK_THAT(text(ended), ContainsSubstring("failed on rank 2: the backend of "
                                            "this rank is gone"));
  CHECK(w.frozen(1).empty());
}

TEST_CASE("a work is committed once the slowest rank is done",
          "[actors][rank]") {
  rank_world w{3};
  w.spawn(1, 3, {adds(5, 30ms)});
  w.spawn(2, 3, {adds(5, 10ms)});
  w.meet();
  w.tell(0, w.command(kind::register_request, 1));
  w.tell(0, w.works(1, 1));
  w.still.settle();
  auto ended = w.await(0, 1, 0);

  w.still.advance(29ms);
  CHECK(text(ended) == "-");
  w.still.advance(1ms);
  CHECK(text(ended) == "committed 1");
}

TEST_CASE("deadlines go by the group's time", "[actors][rank]") {
  rank_world w{3};
  for (std::size_t rank = 0; rank < 3; ++rank)
    w.spawn(rank, 3, {testing::hang{}});
  w.meet();
  w.still.advance(1s);
  w.tell(0, w.command(kind::register_request, 1));
  auto late = w.works(1, 1);
  late.mutable_deadline()->set_remaining_ns(
    std::chrono::nanoseconds{50ms}.count());
  late.mutable_deadline()->set_scope(wire::DEADLINE_SCOPE_WORK);
  late.mutable_deadline()->set_enforcement(
    wire::DEADLINE_ENFORCEMENT_UNTIL_COMMIT);
  w.tell(2, late);
  w.still.settle();
  auto ended = w.await(1, 1, 0);

  w.still.advance(49ms);
  CHECK(text(ended) == "-");
  w.still.advance(1ms);
  CHECK(text(ended) == "abandoned, RELEASED");
}

TEST_CASE("each rank may bring works of its own", "[actors][rank]") {
  met_world w{3};
  auto mine = w.command(kind::enqueue, 1);
  mine.set_works(2);
  mine.set_own(true);

  auto accepted = w.tell(1, mine);
  w.still.settle();

  CHECK(text(accepted) == "done 1/0 1/1");
  CHECK(w.frozen(0).empty());
}

TEST_CASE("a command that one rank cannot read is refused in its words",
          "[actors][rank]") {
  met_world w{3};
  auto broken = w.works(1, 1);
  broken.set_payloads(0, "\xFF\xFF");
  auto short_of = w.works(1, 2);
  short_of.mutable_payloads()->RemoveLast();

  auto first = w.tell(1, broken);
  auto second = w.tell(1, short_of);
  w.still.settle();

  CHECK_THAT(text(first), ContainsSubstring("invalid_argument: rank 0: "
                                            "RankCommand.payloads: number 0 is "
                                            "no work of this program; rank 1"));
  CHECK_THAT(text(second),
             ContainsSubstring("rank 2: it has 1 of the 2 works"));
  CHECK(w.frozen(0).empty());
}

TEST_CASE("a rank that dies freezes the group, which says who",
          "[actors][rank]") {
  auto dead = GENERATE(0u, 1u, 2u);
  met_world w{3};
  w.still.kill(w.ranks[dead]);

  for (std::size_t rank = 0; rank < 3; ++rank)
    if (rank != dead) {
      CHECK_THAT(
        w.frozen(rank),
        ContainsSubstring("rank " + std::to_string(dead) + " is gone"));
      auto refused = w.tell(rank, w.works(1, 1));
      w.still.settle();
      CHECK_THAT(text(refused), ContainsSubstring("poisoned: "));
    }
}

TEST_CASE("a rank that says nothing ends the round after its time",
          "[actors][rank]") {
  rank_world w{3};
  auto silent = turnstile::spawn<silent_rank>(w.still.system());
  w.joins(0, 1, rank_peer_actor{w.ranks[1]});
  w.joins(1, 0, rank_peer_actor{w.ranks[0]});
  w.joins(0, 2, silent);
  w.joins(1, 2, silent);
  w.still.settle();
  auto command = w.tell(1, w.command(kind::register_request, 1));
  w.still.advance(1'999ms);
  REQUIRE(text(command) == "-");

  w.still.advance(1ms);

  CHECK(text(command)
        == "rank_lost: rank 2 did not answer in round 1 within 2s");
  for (std::size_t rank : {0, 1})
    CHECK_THAT(w.frozen(rank), ContainsSubstring("rank 2 did not answer in "
                                                 "round 1 within 2s"));
  w.still.kill(silent);
}

TEST_CASE("commands wait until all ranks have joined", "[actors][rank]") {
  rank_world w{3};
  auto early = w.tell(0, w.command(kind::register_request, 1));
  w.still.advance(10s);
  REQUIRE(text(early) == "-");

  w.meet();

  CHECK(text(early) == "done");
}

TEST_CASE("a rank that hears of an opening before it knows the others loses "
          "nothing",
          "[actors][rank]") {
  rank_world w{3};
  auto early = w.tell(0, w.command(kind::register_request, 1));
  w.introduce(1); // the others know ranks 1 and 2; those know nobody
  w.introduce(2);
  w.still.settle();
  REQUIRE(text(early) == "-");

  w.introduce(0);
  w.still.settle();

  CHECK(text(early) == "done");
}

TEST_CASE("a frozen group is formed anew with a rank in the place of a lost "
          "one",
          "[actors][rank]") {
  auto lost = GENERATE(0u, 2u);
  met_world w{3};
  w.tell(0, w.works(1, 3));
  w.still.settle();
  w.still.kill(w.ranks[lost]);
  const std::size_t donor = 1;

  w.spawn(lost, 3, {adds(1)}, true);
  w.introduce(lost);
  for (std::size_t other = 0; other < 3; ++other)
    if (other != lost)
      w.joins(lost, other, rank_peer_actor{w.ranks[other]});
  auto kept = w.ask<wire::KeptStates>(w.ranks[donor], wire::KeptStatesQuery{});
  w.still.settle();
  auto adopted = w.ask<void>(w.ranks[lost], ***kept);
  wire::FormGroup next;
  next.set_epoch(2);
  auto formed = w.ask<wire::Formed>(w.ranks[0], next);
  w.still.settle();

  CHECK(testing::text_of(adopted, [] { return std::string{}; }) == "done");
  CHECK(text(formed) == "formed 2 1");
  auto more = w.tell(2, w.works(1, 1));
  w.still.settle();
  CHECK(text(more) == "done 1/0"); // of a new life
  auto released = w.tell(1, w.command(kind::release, 1));
  w.still.settle();
  CHECK(text(released) == "done at 4"); // 3 of before, and 1
  CHECK(w.look(lost).epoch() == 2);
}

TEST_CASE("a group that cannot be formed says why", "[actors][rank]") {
  met_world w{3};
  wire::FormGroup next;
  next.set_epoch(1);
  auto lower = w.ask<wire::Formed>(w.ranks[0], next);
  next.set_epoch(2);
  auto elsewhere = w.ask<wire::Formed>(w.ranks[1], next);
  w.still.settle();
  CHECK(text(lower)
        == "invalid_argument: epoch 1 is not higher than the last one, 1");
  CHECK(text(elsewhere)
        == "invalid_argument: only the lowest rank forms a group, not rank 1");

  w.still.kill(w.ranks[2]);
  auto missing = w.ask<wire::Formed>(w.ranks[0], next);
  w.still.settle();
  CHECK(text(missing) == "rank_lost: not all ranks have joined");

  w.spawn(2, 3, {adds(1)}, true); // it brings no states
  w.introduce(2);
  w.joins(2, 0, rank_peer_actor{w.ranks[0]});
  w.joins(2, 1, rank_peer_actor{w.ranks[1]});
  w.still.settle();
  auto differs = w.ask<wire::Formed>(w.ranks[0], next);
  w.still.settle();
  CHECK(text(differs)
        == "consensus: rank 2 differs in round 1: formation: requests is 0 "
           "there and 1 here");
}

TEST_CASE("a rank refuses what another version of it says", "[actors][rank]") {
  met_world w{2};
  auto opened = to_wire(turn_opening{});
  opened.set_format(2);
  anon_mail(opened).send(w.ranks[1]);
  w.still.settle();

  CHECK(w.frozen(1) == "TurnOpened.format: 2 is not spoken here, but 1");
  CHECK_THAT(w.frozen(0), ContainsSubstring("rank 1 had stopped before round"));
}

TEST_CASE("a rank that does not exist is refused", "[actors][rank]") {
  world still;
  auto refused =
    spawn_counter_rank(still.system(), rank_world::options(3, 3), 0);

  REQUIRE_FALSE(refused);
  CHECK(refused.error().detail == "there is no rank 3 in a group of 3");
}
