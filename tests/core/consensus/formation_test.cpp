// A group that has lost a rank or disagreed, and is formed anew.
#include "tests/catch.hpp"
#include "tests/core/consensus/choir.hpp"

using namespace turnstile;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Three ranks that have sung a note of Alice's, sing another one, and have one
/// of Bob's in the queue; then rank 2 is lost.
choir without_rank_two() {
  choir three{3};
  three.registers(alice, "do ");
  three.registers(bob, "re ");
  three.enqueues(alice, {1});
  three.turn(10);
  three.all_hear({alice, 0, 0}, "la");
  three.enqueues(alice, {2});
  three.turn(20);
  three.loses(2);
  return three;
}

/// Gives a rank the states that another one kept, through their byte form.
void hand_over(choir& ranks, std::size_t from, std::size_t to) {
  ranks[from].scheduler.for_each_frozen(
    [&](request_id id, std::uint64_t commits, const song& state) {
      REQUIRE(
        ranks[to].scheduler.adopt(id, commits, *song::decode(*state.encode())));
      ranks[to].scheduler.audit();
    });
}

} // namespace

TEST_CASE("a group that has lost a rank is frozen and keeps its states",
          "[core][consensus]") {
  auto three = without_rank_two();

  CHECK(three.picture(0)
        == "abandoned:1/1 ended:1:failed ended:2:failed "
           "poisoned");
  CHECK(three[0].did.poisoned == failure{errc::rank_lost, "rank 2 is gone"});
  CHECK(three[0].scheduler.request_state(alice)->sung == "do la");
  CHECK(three[0].scheduler.enqueue(alice, {3}).error().code == errc::poisoned);
}

TEST_CASE("the same ranks go on under the next epoch with the states they kept",
          "[core][consensus]") {
  auto three = without_rank_two();
  three[2].did = three[2].scheduler.poison("it was me", at(0));

  three.forms(2, 100);
  CHECK(three.picture() == "dropped:1/1 revived:1 revived:2");
  CHECK(three.state(alice) == "do la");
  CHECK(three[1].scheduler.status_of(alice) == request_status::active);
  CHECK_FALSE(three.any_poisoned());

  three.enqueues(alice, {2});
  three.turn(110);
  CHECK(three.picture() == "obeyed submitted:1/0"); // of a new life
  CHECK(three.said.back()[0].epoch == 2);
  CHECK(three.said.back()[0].round == 3); // after formation and observation
  three.all_hear({alice, 0, three[0].did.submitted[0].id.life}, " mi");
  three.turn(120);
  CHECK(three.state(alice) == "do la mi");
}

TEST_CASE(
  "what hangs at a backend is reclaimed by a formation, and stale later",
  "[core][consensus]") {
  auto three = without_rank_two();
  three[2].did = three[2].scheduler.poison("it was me", at(0));

  three.forms(2, 100);

  REQUIRE(three[0].did.dropped.size() == 1);
  CHECK(three[0].did.dropped[0].reason == drop_reason::reclaimed);
  CHECK(three[0].scheduler.report().current_in_flight_work == 0);
  CHECK_FALSE(three[0].scheduler.observe({alice, 1, 0}, std::string{"late"}));
}

TEST_CASE("a new rank takes the place of a lost one with the states of another",
          "[core][consensus]") {
  auto three = without_rank_two();
  three.replace(2);
  hand_over(three, 0, 2);

  three.forms(2, 100);

  CHECK(three.picture(2) == "revived:1 revived:2");
  CHECK(three.picture(0) == "dropped:1/1 revived:1 revived:2");
  CHECK(three.state(alice) == "do la");
  three.enqueues(alice, {2});
  three.registers({9});
  three.turn(110);
  CHECK(three.picture() == "obeyed obeyed submitted:1/0");
  CHECK_FALSE(three.any_poisoned());
}

TEST_CASE("a new rank of an idle group waits for its formation, too",
          "[core][consensus]") {
  choir two{2};
  two.turn(10);
  two.loses(1);
  two.replace(1);
  two[1].scheduler.poison("it waits for its group to be formed", at(0));

  two.forms(2, 100);

  CHECK(two.picture().empty());
  CHECK_FALSE(two.any_poisoned());
}

TEST_CASE("ranks with different states form no group, and say which differs",
          "[core][consensus]") {
  auto three = without_rank_two();
  three.replace(2);
  hand_over(three, 0, 2);
  REQUIRE(three[2].scheduler.adopt(alice, 7, song{"something else", nullptr}));

  three.forms(2, 100);

  CHECK(three[0].refused->detail
        == "rank 2 differs in round 1: formation: request 1: commits is 7 "
           "there and 1 here");
  CHECK_THAT(*three[0].scheduler.poison_reason(),
             ContainsSubstring("epoch 2 was not formed: rank 2 differs"));
  CHECK(three[0].scheduler.request_state(alice)->sung == "do la");

  hand_over(three, 0, 2); // it replaces the older one
  three.forms(3, 110);
  CHECK_FALSE(three.any_poisoned());
  CHECK(three.state(alice) == "do la");
}

TEST_CASE("a new rank without the states of the others forms no group",
          "[core][consensus]") {
  auto three = without_rank_two();
  three.replace(2);
  three[2].scheduler.poison("new", at(0));

  three.forms(2, 100);

  CHECK(three[1].refused->detail
        == "rank 2 differs in round 1: formation: requests is 0 there and 2 "
           "here");
}

TEST_CASE("a formation is refused when it makes no sense",
          "[core][consensus]") {
  choir two{2};
  two.turn(10);
  two.forms(2, 20);
  CHECK(two[0].refused->code == errc::state); // it goes on

  two.loses(2);
  two.forms(1, 30);
  CHECK(to_string(*two[0].refused)
        == "invalid_argument: epoch 1 is not higher than the last one, 1");
}

TEST_CASE("a rank that runs requests of its own adopts none",
          "[core][consensus]") {
  auto scheduler = *singer::create(choir::roomy());
  REQUIRE(scheduler.register_request(alice, {}));

  CHECK(scheduler.adopt(bob, 1, {}).error().code == errc::state);
  CHECK_FALSE(scheduler.poison_reason());
}

TEST_CASE("what had ended before is unknown after a formation",
          "[core][consensus]") {
  choir two{2};
  two.registers(alice);
  two.registers(bob);
  two.turn(10);
  two.commands(command_kind::finish, alice);
  two.turn(20);
  two.loses(2);

  two.forms(2, 30);

  CHECK(two.picture() == "revived:2");
  two.registers(alice);
  two.turn(40);
  CHECK(two.picture() == "obeyed");
}
