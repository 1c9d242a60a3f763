#include "core/consensus/gathering.hpp"

#include "tests/catch.hpp"

using namespace turnstile;
using arrival = gathering::arrival;

namespace {

frame word(std::uint64_t rank, std::uint64_t round, std::uint64_t epoch = 1) {
  frame f;
  f.rank = rank;
  f.round = round;
  f.epoch = epoch;
  return f;
}

frame last_word(std::uint64_t rank, std::uint64_t round,
                std::uint64_t epoch = 1) {
  auto f = word(rank, round, epoch);
  f.kind = frame_kind::poisoned;
  f.texts = {{0, "no power"}};
  return f;
}

/// Rank 0 of three, in round 1.
gathering in_round_one() {
  gathering g{3, 0};
  g.open(word(0, 1));
  g.arrive(word(0, 1));
  return g;
}

} // namespace

TEST_CASE("gathering is whole when all ranks have spoken, in whatever order",
          "[core][consensus]") {
  auto g = in_round_one();
  CHECK(g.arrive(word(2, 1)) == arrival::taken);
  CHECK_FALSE(g.is_whole());
  CHECK(g.missing() == std::vector<std::size_t>{1});
  CHECK(g.arrive(word(1, 1)) == arrival::taken);

  REQUIRE(g.is_whole());
  CHECK(g.take() == std::vector<frame>{word(0, 1), word(1, 1), word(2, 1)});
  CHECK_FALSE(g.is_open());
}

TEST_CASE("gathering keeps the first word of a rank in a round",
          "[core][consensus]") {
  auto g = in_round_one();
  g.arrive(word(1, 1));
  auto other = word(1, 1);
  other.words = {9};

  CHECK(g.arrive(other) == arrival::doubled);

  g.arrive(word(2, 1));
  CHECK(g.take()[1].words.empty());
}

TEST_CASE("gathering keeps what comes early, and knows it in its round",
          "[core][consensus]") {
  auto g = in_round_one();
  CHECK(g.arrive(word(1, 2)) == arrival::early);
  CHECK(g.arrive(word(1, 2)) == arrival::doubled);
  CHECK(g.arrive(word(1, 1, 2)) == arrival::early); // of the next epoch
  CHECK(g.arrive(word(1, 3)) == arrival::refused);  // nobody is so far ahead
  g.arrive(word(1, 1));
  g.arrive(word(2, 1));
  g.take();

  g.open(word(0, 2));
  CHECK(g.missing() == std::vector<std::size_t>{0, 2});
  g.give_up();

  g.open(word(0, 1, 2));
  CHECK(g.missing() == std::vector<std::size_t>{0, 2});
}

TEST_CASE("gathering knows what comes late", "[core][consensus]") {
  auto g = in_round_one();
  g.arrive(word(1, 1));
  g.arrive(word(2, 1));
  g.take();

  CHECK(g.arrive(word(1, 1)) == arrival::late);
  g.open(word(0, 1, 2));
  CHECK(g.arrive(word(1, 7, 1)) == arrival::late); // of the last epoch
}

TEST_CASE("gathering takes this rank's own word only as it comes back",
          "[core][consensus]") {
  gathering g{2, 0};
  g.open(word(0, 1));
  g.arrive(word(1, 1));
  CHECK(g.missing() == std::vector<std::size_t>{0});
  auto changed = word(0, 1);
  changed.words = {9};

  CHECK(g.arrive(changed) == arrival::taken);

  CHECK(g.take()[0].words == std::vector<std::uint64_t>{9});
  CHECK(g.arrive(last_word(0, 2)) == arrival::refused); // it knows
}

TEST_CASE("gathering refuses ranks that it has not", "[core][consensus]") {
  auto g = in_round_one();

  CHECK(g.arrive(word(3, 1)) == arrival::refused);
  CHECK(g.arrive(word(UINT64_MAX, 1)) == arrival::refused);
}

TEST_CASE("gathering tells who did not answer", "[core][consensus]") {
  auto g = in_round_one();

  auto why = g.lost(std::chrono::seconds{2});

  CHECK(to_string(why)
        == "rank_lost: rank 1, rank 2 did not answer in round 1 within 2s");
}

TEST_CASE("gathering tells what a rank has said instead of its answer",
          "[core][consensus]") {
  auto [said, told] = GENERATE(table<frame, std::string>({
    {word(2, 2), "round is 2 there and 1 here"},
    {word(2, 0), "round is 0 there and 1 here"},
    {word(2, 1, 3), "epoch is 3 there and 1 here"},
    {word(2, 1, 0), "epoch is 0 there and 1 here"},
  }));
  auto g = in_round_one();
  g.arrive(word(1, 1));
  g.arrive(said);

  CHECK(g.lost(std::chrono::seconds{2}).detail
        == "rank 2 did not answer in round 1 within 2s; rank 2 differs in "
           "round 1: "
             + told);
}

TEST_CASE("gathering tells what a rank has said too early instead",
          "[core][consensus]") {
  auto [said, told] = GENERATE(table<frame, std::string>({
    {word(2, 1), "round is 1 there and 2 here"}, // once more
    {word(2, 2, 0), "epoch is 0 there and 1 here"},
    {word(2, 2, 3), "epoch is 3 there and 1 here"},
  }));
  auto g = in_round_one();
  g.arrive(word(1, 1));
  g.arrive(word(2, 1));
  g.arrive(said); // before this rank has come to round 2
  g.take();
  g.open(word(0, 2));

  CHECK_THAT(g.lost(std::chrono::seconds{2}).detail,
             Catch::Matchers::EndsWith("rank 2 differs in round 2: " + told));
}

TEST_CASE("gathering goes by who has sent a word, not by what it says",
          "[core][consensus]") {
  auto g = in_round_one();
  CHECK(g.arrive(2, word(1, 1)) == arrival::taken);
  CHECK(g.arrive(1, word(1, 1)) == arrival::taken);

  CHECK(g.take()[2].rank == 1); // the agreement will say so
}

TEST_CASE("gathering tells at once that a rank has stopped",
          "[core][consensus]") {
  auto round = GENERATE(1u, 2u);
  auto g = in_round_one();

  CHECK(g.arrive(last_word(2, round)) == arrival::farewell);

  REQUIRE(g.stopped());
  CHECK(g.stopped()->detail
        == "rank 2 had stopped before round " + std::to_string(round)
             + ": no power");
}

TEST_CASE("gathering begins another epoch with all ranks",
          "[core][consensus]") {
  auto g = in_round_one();
  g.arrive(last_word(2, 2));
  CHECK(g.arrive(last_word(1, 2, 2)) == arrival::early);
  g.give_up();

  g.open(word(0, 1, 2));
  CHECK_FALSE(g.stopped()); // rank 1's is for the round after this one
}
