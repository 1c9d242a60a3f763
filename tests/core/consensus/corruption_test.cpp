// Every field that a rank says is changed on its way once, on every rank: each
// rank is poisoned, and says whose frame it was, in which round, and what in it
// was wrong. The scenario's frames are written down field by field.
#include "tests/catch.hpp"
#include "tests/core/consensus/choir.hpp"
#include "tests/core/consensus/scenario_fields.hpp"

using namespace turnstile;
using namespace turnstile::scenario;

namespace {

constexpr std::size_t ranks = 3;

/// Changes what one rank says in one round, as all hear it, and lets the ranks
/// go through the scenario.
choir with(std::size_t round, std::size_t rank,
           const std::function<void(frame&)>& change) {
  auto settings = choir::roomy();
  settings.limits.max_in_flight_global = 1; // so that Bob's note waits
  choir all{ranks, settings};
  all.hears_wrongly = [&](std::size_t, frame& said) {
    if (said.round == round + 1 && said.rank == rank)
      change(said);
  };
  all.registers(alice);
  all.registers(bob);
  all.enqueues(alice, {7});
  all.enqueues(bob, {8}, duration{5});
  all.turn(10);
  all.all_hear({alice, 0, 0}, "la");
  all.turn(20);
  all.turn(30); // a rank that noticed alone says it by now
  return all;
}

/// Expects every rank to know the rank, the round and the field.
void expect_told(choir& all, std::size_t round, std::size_t rank,
                 const std::string& field) {
  const auto told = "rank " + std::to_string(rank) + " differs in round "
                    + std::to_string(round + 1) + ": " + field;
  for (std::size_t each = 0; each < ranks; ++each) {
    CAPTURE(each, told);
    REQUIRE(all[each].scheduler.poison_reason());
    CHECK_THAT(*all[each].scheduler.poison_reason(),
               Catch::Matchers::ContainsSubstring(told));
  }
}

} // namespace

TEST_CASE("ranks go through the scenario, if nobody changes what they say",
          "[core][consensus]") {
  auto all = with(9, 0, [](frame&) {});

  CHECK_FALSE(all.any_poisoned());
  CHECK(all.state(alice) == "la");
  REQUIRE(all.said.size() == rounds.size() + 1); // the third turn is idle
  for (std::size_t round = 0; round < rounds.size(); ++round)
    CHECK(all.said[round][0].words.size() == rounds[round].size());
}

TEST_CASE("every word of every rank that is changed is told by all ranks",
          "[core][consensus]") {
  // By one, an opinion becomes another one; by much, it means nothing.
  auto by = GENERATE(1u, 1u << 20U);
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (std::size_t word = 0; word < rounds[round].size(); ++word) {
        CAPTURE(round, rank, word, by);
        auto all = with(round, rank, [&](frame& f) { f.words[word] ^= by; });
        expect_told(all, round, rank, rounds[round][word]);
      }
}

TEST_CASE("every field of every rank's header that is changed is told by all "
          "ranks",
          "[core][consensus]") {
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (const auto& [field, change] : header) {
        CAPTURE(round, rank, field);
        bool changed = false; // what says so may itself be changed
        auto all = with(round, rank, [&, change_it = change](frame& f) {
          change_it(f);
          changed = true;
        });
        CHECK(changed);
        expect_told(all, round, rank, field);
      }
}

TEST_CASE("every frame that is cut or drawn out is told by all ranks",
          "[core][consensus]") {
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto words = rounds[round].size();
      for (std::size_t length = 0; length < words + 2; ++length) {
        if (length == words)
          continue;
        CAPTURE(round, rank, length);
        auto all = with(round, rank, [&](frame& f) {
          f.words.resize(length);
          f.length = length;
        });
        expect_told(all, round, rank,
                    length < words
                      ? rounds[round][length]
                      : (round % 2 == 0 ? seen : plan) + "the end");
      }
    }
}

TEST_CASE("every text of every rank that is changed is told by all ranks",
          "[core][consensus]") {
  auto rank = GENERATE(0u, 1u, 2u);
  choir all{ranks};
  all.registers(alice);
  all.enqueues(alice, {7});
  all.turn(10);
  all.breaks(rank, {alice, 0, 0}, "a string broke");
  all.hears_wrongly = [&](std::size_t, frame& said) {
    if (!said.texts.empty() && said.kind != frame_kind::poisoned)
      said.texts[0].text = "all is well";
  };

  all.turn(20);
  all.turn(30);

  expect_told(all, 2, rank, "observation: the texts came back changed");
}

TEST_CASE("a rank that is heard differently by one rank only is told by that "
          "one, and then by all",
          "[core][consensus]") {
  for (std::size_t listener = 0; listener < ranks; ++listener)
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      CAPTURE(listener, rank);
      choir all{ranks};
      all.registers(alice);
      all.hears_wrongly = [&](std::size_t who, frame& said) {
        if (who == listener && said.rank == rank && said.round == 1)
          said.words[1] += 1;
      };

      all.turn(10);
      all.turn(20);

      expect_told(all, 0, rank, "observation: works is 1 there and 0 here");
    }
}
