// Conversations between ranks, to be read aloud. `picture()` is what every rank
// did in the newest turn; it says so if they did not all do the same.
#include "tests/catch.hpp"
#include "tests/core/consensus/choir.hpp"

using namespace turnstile;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr request_id carol{3};

work_id of(request_id request, std::uint64_t sequence, std::uint64_t life = 0) {
  return {request, sequence, life};
}

/// Alice and Bob have one note each, and every rank is singing them.
choir singing_two(std::size_t ranks) {
  choir ranks_of{ranks};
  ranks_of.registers(alice);
  ranks_of.registers(bob);
  ranks_of.enqueues(alice, {1});
  ranks_of.enqueues(bob, {2});
  ranks_of.turn(10);
  return ranks_of;
}

} // namespace

TEST_CASE("ranks lead a work from its command to its commit in step",
          "[core][consensus]") {
  auto ranks = GENERATE(1u, 2u, 3u, 5u, 16u);
  CAPTURE(ranks);
  choir all{ranks};

  all.registers(alice);
  all.enqueues(alice, {7});
  all.turn(10);
  CHECK(all.picture() == "obeyed obeyed submitted:1/0");

  all.hears(0, of(alice, 0), "la");
  all.turn(20);
  CHECK(all.picture() == (ranks == 1 ? "committed:1/0" : "")); // not yet

  for (std::size_t rank = 1; rank < ranks; ++rank)
    all.hears(rank, of(alice, 0), "la");
  all.turn(30);
  CHECK(all.picture() == (ranks == 1 ? "" : "committed:1/0"));
  CHECK(all.state(alice) == "la");
  CHECK_FALSE(all.any_poisoned());
}

TEST_CASE("ranks ask each other twice in a turn that schedules, once in one "
          "that does not",
          "[core][consensus]") {
  choir three{3};
  three.registers(alice);
  three.enqueues(alice, {7});

  three.turn(10);
  CHECK(three.said.size() == 2);
  three.turn(20); // one is in flight, and there is nothing to schedule
  CHECK(three.said.size() == 3);
  three.all_hear(of(alice, 0), "la");
  three.turn(30); // it commits
  CHECK(three.said.size() == 5);
}

TEST_CASE("ranks expire by the group's time alone", "[core][consensus]") {
  choir three{3};
  three.registers(alice);
  three.registers(bob);
  three.enqueues(
    alice, {1, 2}, duration{50},
    {deadline_policy::scope::work, deadline_policy::until::commit});
  three.enqueues(bob, {3}, duration{10});
  three.turn(1'000); // its deadlines are 1,050 and 1,010

  three.turn(1'020); // bob's counts until submission
  CHECK(three.picture().empty());
  three.turn(1'050);
  CHECK(three.picture() == "abandoned:1/0 abandoned:1/1");
  three.all_hear(of(alice, 0), "late");
  three.turn(1'060);
  CHECK(three.picture() == "dropped:1/0");
}

TEST_CASE("a group's time never goes back", "[core][consensus]") {
  choir two{2};
  two.registers(alice);
  two.turn(1'000);
  two.enqueues(alice, {1}, duration{50});

  two.turn(500);

  CHECK(two.said.back()[1].clock == at(1'000));
}

TEST_CASE("what goes wrong on one rank fails the work on all, and nothing else",
          "[core][consensus]") {
  // What fails, the work's code everywhere, and when it is told: with the turn
  // that submits it, or the one after its completion.
  auto [call, code, later] = GENERATE(table<std::string, errc, bool>({
    {"descriptor", errc::descriptor, false},
    {"branch", errc::state, false},
    {"submit", errc::distributed_completion, true},
    {"commit", errc::state, true},
  }));
  auto rank = GENERATE(0u, 1u, 2u);
  CAPTURE(call, rank);
  choir three{3};
  three.registers(alice);
  three.registers(bob);
  three.turn(10);
  three.enqueues(alice, {1});
  three[rank].feels.fails[call] = "the " + call + " went wrong";
  three.turn(20);
  if (later) {
    CHECK(three.picture((rank + 1) % 3) == "obeyed submitted:1/0");
    for (std::size_t other = 0; other < 3; ++other)
      if (call == "commit" || other != rank)
        three.hears(other, of(alice, 0), "la");
    three.turn(30);
  }

  const auto name = std::string{to_string(code)};
  CHECK(three.picture()
        == (later ? "" : std::string{"obeyed "}) + "failed:1/0:" + name
             + " ended:1:failed");
  for (std::size_t other = 0; other < 3; ++other)
    CHECK_THAT(three[other].did.failed.at(0).why.detail,
               ContainsSubstring("rank " + std::to_string(rank) + ": the "
                                 + call + " went wrong"));
  three[rank].feels.fails.clear();
  three.enqueues(bob, {2});
  three.turn(40);
  CHECK(three.picture() == "obeyed submitted:2/0");
  CHECK_FALSE(three.any_poisoned());
}

TEST_CASE("an execution that failed on one rank tells why on all",
          "[core][consensus]") {
  auto three = singing_two(3);
  three.breaks(1, of(alice, 0), "a string broke");

  three.turn(20);
  CHECK(three.picture() == "ended:1:failed"); // the others are not done
  CHECK(three[2].did.ended[0].why->detail
        == "work 1/0 failed on rank 1: a string broke");

  three.hears(0, of(alice, 0), "la");
  three.breaks(2, of(alice, 0), "so did mine");
  three.turn(30);
  CHECK(three.picture() == "failed:1/0:distributed_completion");
  CHECK(three[0].did.failed[0].why.detail
        == "work 1/0 failed on rank 1: a string broke; rank 2: so did mine");
}

TEST_CASE("what a completion carries cannot be applied on one rank: no rank "
          "commits",
          "[core][consensus]") {
  auto three = singing_two(3);
  three.hears(0, of(alice, 0), "la");
  three.hears(1, of(alice, 0), "out of tune");
  three.hears(2, of(alice, 0), "la");

  three.turn(20);

  CHECK(three.picture() == "failed:1/0:distributed_completion ended:1:failed");
  CHECK(three.state(alice).empty());
}

TEST_CASE("a commit is told once all ranks have made it", "[core][consensus]") {
  auto three = singing_two(3);
  three.all_hear(of(alice, 0), "la");
  three.all_hear(of(bob, 0, 1), "lo");
  three[2].feels.fails["commit"] = "no paper";

  three.turn(20);

  // Both fail, since both failed on rank 2; nobody was told that they commit.
  CHECK(three.picture()
        == "failed:1/0:state failed:2/0:state ended:1:failed ended:2:failed");
  CHECK(three[0].did.failed[1].why.detail == "rank 2: no paper");
}

TEST_CASE("siblings of a work that one rank cannot prepare fail with it "
          "everywhere",
          "[core][consensus]") {
  choir three{3};
  three.registers(alice);
  three.turn(10);
  three[1].feels.fails["branch"] = "no room";
  three.enqueues(alice, {1, 2});

  three.turn(20);

  CHECK(three.picture()
        == "obeyed failed:1/0:state dropped:1/1 ended:1:failed");
  CHECK(three[0].submitted.empty());
}

TEST_CASE("every command applies on all ranks in the same turn",
          "[core][consensus]") {
  choir three{3};
  three.registers(alice, "do ");
  three.registers(bob, "re ");
  three.registers(carol);
  three.enqueues(alice, {1, 2});
  three.enqueues(carol, {3});
  three.turn(10);
  CHECK(three[2].did.commands[3].accepted
        == std::vector<work_id>{of(alice, 0), of(alice, 1)});

  three.commands(command_kind::cancel_work, alice, 1);
  three.commands(command_kind::finish, bob);
  three.commands(command_kind::cancel_request, carol);
  three.turn(20);
  CHECK(three.picture()
        == "obeyed obeyed obeyed abandoned:1/1 abandoned:3/0 ended:2:finished "
           "ended:3:cancelled");

  three.commands(command_kind::release, bob);
  three.commands(command_kind::forget, bob);
  three.commands(command_kind::forget, carol); // its work is retained
  three.commands(command_kind::release, alice);
  three.turn(30);
  CHECK(three.picture() == "obeyed obeyed refused:state refused:state");
  CHECK(three[1].did.commands[0].state->sung == "re ");
  CHECK(three[1].did.commands[1].forgotten == request_status::finished);
  CHECK(three.state(bob) == "none");
}

TEST_CASE("commands of one turn build on each other, and a refusal on one is "
          "one on all",
          "[core][consensus]") {
  choir three{3};
  three.enqueues(alice, {1}); // nobody has registered it yet
  three.registers(alice);
  three.registers(alice);
  three.enqueues(alice, {2});
  three.commands(command_kind::cancel_work, alice, 0, 0);

  three.turn(10);

  CHECK(three.picture()
        == "refused:unknown_request obeyed refused:duplicate_request obeyed "
           "obeyed dropped:1/0");
}

TEST_CASE("a command that one rank cannot carry out changes nothing anywhere",
          "[core][consensus]") {
  choir three{3};
  three.registers(alice);
  three.enqueues(alice, {1, 2});
  three.enqueues(alice, {3});
  three.tells(1, 1, [](singer::command& c) { c.works.pop_back(); });
  three.tells(2, 1, [](singer::command& c) {
    c.missing = failure{errc::no_codec, "no tokens here"};
  });

  three.turn(10);

  CHECK(three.picture()
        == "obeyed refused:invalid_argument obeyed submitted:1/0");
  CHECK(three[0].did.commands[1].refused->detail
        == "rank 1: it has 1 of the 2 works; rank 2: no tokens here");
}

TEST_CASE("a command that has changed on its way to one rank poisons",
          "[core][consensus]") {
  auto [edit, told] =
    GENERATE(table<std::function<void(singer::command&)>, std::string>({
      {[](auto& c) { c.terms.kind = command_kind::forget; },
       "kind is 7 there and 2 here"},
      {[](auto& c) { c.terms.request = bob; }, "request is 2 there and 1 here"},
      {[](auto& c) { c.terms.life = 4; }, "life is 4 there and 0 here"},
      {[](auto& c) { c.terms.sequence = 4; }, "sequence is 4 there and 0 here"},
      {[](auto& c) { c.terms.works = 4; }, "works is 4 there and 1 here"},
      {[](auto& c) { c.terms.remaining = duration{4}; },
       "remaining is 4 there and 0 here"},
      {[](auto& c) { c.terms.remaining = duration{0}; },
       "policy is 4 there and 0 here"},
      {[](auto& c) { c.terms.digest = 4; }, "digest is 4 there and 0 here"},
    }));
  choir three{3};
  three.registers(alice);
  three.enqueues(alice, {1});
  three.tells(1, 1, edit);

  three.turn(10);

  for (std::size_t rank : {0, 2})
    CHECK(three[rank].did.poisoned->detail
          == "rank 1 differs in round 1: observation: command 1: " + told);
  CHECK_THAT(three[1].did.poisoned->detail,
             ContainsSubstring("rank 0 differs in round 1: observation: "
                               "command 1: "));
}

TEST_CASE("ranks may bring works that are not the same, as long as they "
          "describe them alike",
          "[core][consensus]") {
  choir three{3};
  three.registers(alice);
  three.enqueues(alice, {1});
  three.tells(1, 1, [](singer::command& c) { c.works[0].pitch = 2; });

  three.turn(10); // the descriptor is the pitch

  CHECK(three[0].did.poisoned->detail
        == "rank 1 differs in round 2: schedule: work 1/0: descriptor word 0 "
           "is 2 there and 1 here");
}

TEST_CASE("a rank that is poisoned stops the others with its next frame",
          "[core][consensus]") {
  auto three = singing_two(3);
  three[1].scheduler.poison("no more electricity", at(11));

  three.turn(20);

  CHECK(three[1].refused->code == errc::poisoned);
  for (std::size_t rank : {0, 2})
    CHECK(three[rank].did.poisoned->detail
          == "rank 1 had stopped before round 3: no more electricity");
  CHECK(three.state(alice).empty()); // they keep their states
}

TEST_CASE("what was committed before the ranks disagreed is told beside that",
          "[core][consensus]") {
  auto three = singing_two(3);
  three.all_hear(of(alice, 0), "la");
  three.hears_wrongly = [](std::size_t, frame& said) {
    if (said.kind == frame_kind::schedule && said.rank == 1)
      said.words.back() += 1;
  };

  three.turn(20);

  CHECK(three.picture()
        == "committed:1/0 abandoned:2/0 ended:1:failed ended:2:failed "
           "poisoned");
  CHECK(three.state(alice) == "la");
}

TEST_CASE("ranks take no turn of another epoch than theirs",
          "[core][consensus]") {
  choir two{2};
  two.turn(10);
  two.epoch = 2;

  two.turn(20);

  REQUIRE(two[0].refused);
  CHECK(to_string(*two[0].refused)
        == "invalid_argument: the group was formed under epoch 1; re-form it "
           "to go on under 2");
}

TEST_CASE("ranks cancel in a round of their own, too", "[core][consensus]") {
  auto three = singing_two(3);

  three.cancels(alice, 20);

  CHECK(three.picture() == "abandoned:1/0 ended:1:cancelled");
  CHECK(three.said.back()[2].words == std::vector<std::uint64_t>{1, 1});
  three.cancels(alice, 30);
  CHECK(three[1].refused->code == errc::state);
}
