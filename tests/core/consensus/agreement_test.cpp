#include "core/consensus/agreement.hpp"

#include "tests/catch.hpp"

#include <functional>

using namespace turnstile;

namespace {

constexpr std::uint64_t incomplete = 0;
constexpr std::uint64_t complete = 1;
constexpr std::uint64_t failed = 2;

/// Rank 0's word in round 7: two works to submit.
frame schedule() {
  frame f;
  f.kind = frame_kind::schedule;
  f.protocol = 42;
  f.epoch = 3;
  f.round = 7;
  f.words = {2, 1, 0, 0, 1, 11, 2, 0, 5, 1, 12};
  return f;
}

/// Rank 0's word in round 7: request 9 expired, and it saw this of one work.
frame observation(std::uint64_t seen) {
  auto f = schedule();
  f.kind = frame_kind::observation;
  f.words = {1, 9, 1, 1, 0, 5, seen};
  return f;
}

/// What three ranks say who all say the same.
std::vector<frame> three(const frame& local) {
  std::vector<frame> all(3, local);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    all[rank].rank = rank;
  return all;
}

using change = std::function<void(frame&)>;

} // namespace

TEST_CASE("agree accepts ranks that say the same", "[core][consensus]") {
  CHECK(agree(schedule(), three(schedule())));
}

TEST_CASE("agree names the rank, the round and the first field that differs",
          "[core][consensus]") {
  auto [differ, told] = GENERATE(table<change, std::string>({
    {[](frame& f) { f.kind = frame_kind::disposition; },
     "round 7: kind is 3 there and 2 here"},
    {[](frame& f) { f.format = 2; }, "round 7: format is 2 there and 1 here"},
    {[](frame& f) { f.protocol = 43; },
     "round 7: protocol is 43 there and 42 here"},
    {[](frame& f) { f.epoch = 4; }, "round 7: epoch is 4 there and 3 here"},
    {[](frame& f) { f.round = 8; }, "round 8: round is 8 there and 7 here"},
    {[](frame& f) { f.rank = 1; }, "round 7: rank is 1 there and 2 here"},
    {[](frame& f) { f.words.pop_back(); },
     "round 7: length is 10 there and 11 here"},
    {[](frame& f) { f.words[5] = 99; },
     "round 7: word 5 is 99 there and 11 here"},
    // Of several differences, the first.
    {[](frame& f) { f.epoch = 4, f.words[5] = 99; },
     "round 7: epoch is 4 there and 3 here"},
    {[](frame& f) { f.words[10] = 98, f.words[5] = 99; },
     "round 7: word 5 is 99 there and 11 here"},
  }));
  auto all = three(schedule());
  differ(all[2]);

  auto same = agree(schedule(), all);

  REQUIRE_FALSE(same);
  CHECK(same.error().code == errc::consensus);
  CHECK(same.error().detail == "rank 2 differs in " + told);
}

TEST_CASE("agree checks this rank's own word, too", "[core][consensus]") {
  auto all = three(schedule());
  all[0].words[5] = 99; // something changed it on its way

  auto same = agree(schedule(), all);

  REQUIRE_FALSE(same);
  CHECK(same.error().detail
        == "rank 0 differs in round 7: word 5 is 99 there and 11 here");
}

TEST_CASE("resolve makes one resolution of what all ranks saw",
          "[core][consensus]") {
  auto [here, second, third, resolved] =
    GENERATE(table<std::uint64_t, std::uint64_t, std::uint64_t, resolution>({
      {incomplete, incomplete, incomplete, resolution::incomplete},
      {complete, incomplete, complete, resolution::incomplete},
      {incomplete, complete, complete, resolution::incomplete},
      {complete, complete, complete, resolution::complete},
      {failed, incomplete, complete, resolution::failed_pending},
      {incomplete, failed, failed, resolution::failed_pending},
      {complete, failed, incomplete, resolution::failed_pending},
      {failed, complete, complete, resolution::failed_complete},
      {complete, complete, failed, resolution::failed_complete},
      {failed, failed, failed, resolution::failed_complete},
    }));
  CAPTURE(here, second, third);
  auto all = three(observation(here));
  all[1].words.back() = second;
  all[2].words.back() = third;

  auto answer = resolve(observation(here), all);

  REQUIRE(answer);
  CHECK(*answer == std::vector<resolution>{resolved});
}

TEST_CASE("resolve takes each work by itself", "[core][consensus]") {
  auto local = observation(complete);
  local.words = {0, 2, 1, 0, 0, complete, 1, 0, 1, incomplete};
  auto all = three(local);
  all[1].words[5] = failed;

  auto answer = resolve(local, all);

  REQUIRE(answer);
  CHECK(*answer
        == std::vector<resolution>{resolution::failed_complete,
                                   resolution::incomplete});
}

TEST_CASE("resolve lets ranks differ in nothing but what they saw",
          "[core][consensus]") {
  auto word = GENERATE(0u, 1u, 2u, 3u, 4u, 5u);
  CAPTURE(word);
  auto all = three(observation(complete));
  all[1].words[word] = 77;

  auto answer = resolve(observation(complete), all);

  REQUIRE_FALSE(answer);
  CHECK_THAT(answer.error().detail,
             Catch::Matchers::ContainsSubstring(
               "rank 1 differs in round 7: word " + std::to_string(word)));
}

TEST_CASE("resolve refuses what nobody can have seen", "[core][consensus]") {
  auto all = three(observation(complete));
  all[2].words.back() = 3;

  auto answer = resolve(observation(complete), all);

  REQUIRE_FALSE(answer);
  CHECK(answer.error().detail
        == "rank 2 saw something unknown of a work in round 7: 3");
}

TEST_CASE("resolve does not take another word for this rank's own",
          "[core][consensus]") {
  auto all = three(observation(complete));
  all[0].words.back() = failed;

  CHECK_FALSE(resolve(observation(complete), all));
}

TEST_CASE("mirror_group says on all ranks what this one says",
          "[core][consensus]") {
  mirror_group group{3};

  auto answer = group.gather(schedule());

  REQUIRE(answer);
  REQUIRE(*answer);
  CHECK(**answer == three(schedule()));
  CHECK(group.ranks() == 3);
}
