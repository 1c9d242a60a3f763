#include "core/consensus/agreement.hpp"

#include "core/consensus/command.hpp"
#include "tests/catch.hpp"

#include <functional>

using namespace turnstile;

namespace {

constexpr std::uint64_t incomplete = 0;
constexpr std::uint64_t complete = 1;
constexpr std::uint64_t failed = 2;

frame in_round_seven(frame_kind kind, std::vector<std::uint64_t> words) {
  frame f;
  f.kind = kind;
  f.protocol = 42;
  f.epoch = 3;
  f.round = 7;
  f.clock = instant{duration{500}};
  f.words = std::move(words);
  f.length = f.words.size();
  return f;
}

/// Two works to submit, one commit, one command that was refused.
frame schedule() {
  return in_round_seven(
    frame_kind::schedule,
    {2, 1, 0, 0, 0, 1, 11, 2, 0, 5, 0, 2, 12, 13, 1, 9, 4, 3, 0, 1, 4});
}

/// Request 9 expired, this was seen of one work, and one is to be cancelled.
frame observation(std::uint64_t seen) {
  auto f = in_round_seven(frame_kind::observation, {1, 9, 1, 1, 0, 5, seen, 1});
  put(f, {command_kind::cancel_work, {6}, 2, 8, 0, std::nullopt, {}, 77},
      nullptr);
  f.length = f.words.size();
  return f;
}

frame formation() {
  return in_round_seven(frame_kind::formation, {4, 2, 1, 10, 2, 20});
}

/// What three ranks say who all say the same.
std::vector<frame> three(const frame& local) {
  std::vector<frame> all(3, local);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    all[rank].rank = rank;
  return all;
}

/// As `put`, for a word that is there already.
void say(frame& f, std::size_t word, std::uint64_t what, std::string why) {
  f.words[word] = what;
  f.texts.push_back({word, std::move(why)});
}

/// What `local` makes of three frames, as the rules of its kind want it.
status compare(const frame& local, const std::vector<frame>& all) {
  auto made = [](auto answer) -> status {
    return answer ? status{} : fail(answer.error());
  };
  switch (local.kind) {
  case frame_kind::observation:
    return made(agree_observation(local, all));
  case frame_kind::schedule:
    return made(agree_schedule(local, all));
  case frame_kind::formation:
    return made(agree_formation(local, all));
  default:
    return agree(local, all);
  }
}

using change = std::function<void(frame&)>;

} // namespace

TEST_CASE("ranks that say the same agree", "[core][consensus]") {
  auto local = GENERATE(schedule(), observation(complete), formation(),
                        in_round_seven(frame_kind::disposition, {1, 1}),
                        in_round_seven(frame_kind::observation, {0, 0, 0}),
                        in_round_seven(frame_kind::schedule, {0, 0, 0}));

  CHECK(compare(local, three(local)));
}

TEST_CASE("a difference between ranks is told with the rank, the round and the "
          "first field",
          "[core][consensus]") {
  auto [differ, told] = GENERATE(table<change, std::string>({
    {[](frame& f) { f.kind = frame_kind::disposition; },
     "kind is disposition there and schedule here"},
    {[](frame& f) { f.kind = static_cast<frame_kind>(9); },
     "kind is 9 there and schedule here"},
    {[](frame& f) { f.format = 2; }, "format is 2 there and 1 here"},
    {[](frame& f) { f.protocol = 43; }, "protocol is 43 there and 42 here"},
    {[](frame& f) { f.epoch = 4; }, "epoch is 4 there and 3 here"},
    {[](frame& f) { f.round = 8; }, "round is 8 there and 7 here"},
    {[](frame& f) { f.rank = 1; }, "rank is 1 there"},
    {[](frame& f) { f.clock += duration{1}; },
     "clock is 501 there and 500 here"},
    {[](frame& f) { f.length = 20; }, "length is 20 there, but 21 words came"},
    {[](frame& f) { f.words[0] = 3; }, "schedule: works is 3 there and 2 here"},
    {[](frame& f) { f.words[1] = 3; },
     "schedule: work 1/0: request is 3 there and 1 here"},
    {[](frame& f) { f.words[2] = 3; },
     "schedule: work 1/0: life is 3 there and 0 here"},
    {[](frame& f) { f.words[9] = 3; },
     "schedule: work 2/5: sequence is 3 there and 5 here"},
    {[](frame& f) { f.words[11] = 3; },
     "schedule: work 2/5: descriptor length is 3 there and 2 here"},
    {[](frame& f) { f.words[13] = 99; },
     "schedule: work 2/5: descriptor word 1 is 99 there and 13 here"},
    {[](frame& f) { f.words[10] = 200; },
     "schedule: work 2/5: prepared is 200 there, which means nothing"},
    {[](frame& f) { f.words[14] = 3; },
     "schedule: commits is 3 there and 1 here"},
    {[](frame& f) { f.words[16] = 5; },
     "schedule: commit 9/3: life is 5 there and 4 here"},
    {[](frame& f) { f.words[18] = 12; },
     "schedule: commit 9/3: committed is 12 there and 0 here"},
    {[](frame& f) { f.words[19] = 0; },
     "schedule: commands is 0 there and 1 here"},
    {[](frame& f) { f.words[20] = 0; },
     "schedule: command 0: result is 0 there and 4 here"},
    {[](frame& f) {
       f.texts.push_back({21, "why"});
     },
     "schedule: text 0: word is 21 there, which means nothing"},
    {[](frame& f) {
       f.texts = {{3, "why"}, {3, "why"}};
     },
     "schedule: text 1: word is 3 there, which means nothing"},
    {[](frame& f) {
       f.texts.push_back({3, std::string(2000, 'x')});
     },
     "schedule: text 0: length is 2000 there, which means nothing"},
    // Of several differences, the first.
    {[](frame& f) { f.epoch = 4, f.words[5] = 99; },
     "epoch is 4 there and 3 here"},
    {[](frame& f) { f.words[13] = 98, f.words[6] = 99; },
     "schedule: work 1/0: descriptor word 0 is 99 there and 11 here"},
  }));
  auto all = three(schedule());
  differ(all[2]);

  auto same = compare(schedule(), all);

  REQUIRE_FALSE(same);
  CHECK(same.error().code == errc::consensus);
  CHECK(same.error().detail == "rank 2 differs in round 7: " + told);
}

TEST_CASE("frames that are shorter or longer are told by the field where that "
          "shows",
          "[core][consensus]") {
  auto [local, words, told] = GENERATE(table<frame, std::size_t, std::string>({
    {schedule(), 0, "schedule: works is missing there"},
    {schedule(), 3, "schedule: work 1/0: sequence is missing there"},
    {schedule(), 13, "schedule: work 2/5: descriptor word 1 is missing there"},
    {schedule(), 20, "schedule: command 0: result is missing there"},
    {schedule(), 23, "schedule: the end comes after 2 words more there"},
    {observation(complete), 6, "observation: work 1/5: seen is missing there"},
    {observation(complete), 16,
     "observation: command 0: ready is missing there"},
    {formation(), 5, "formation: request 2: commits is missing there"},
    {in_round_seven(frame_kind::disposition, {1, 1}), 1,
     "disposition: cause is missing there"},
  }));
  auto all = three(local);
  all[1].words.resize(words);
  all[1].length = words;

  auto same = compare(local, all);

  REQUIRE_FALSE(same);
  CHECK(same.error().detail == "rank 1 differs in round 7: " + told);
}

TEST_CASE("whatever is changed in this rank's own frame is noticed",
          "[core][consensus]") {
  auto local = GENERATE(schedule(), observation(complete), formation(),
                        in_round_seven(frame_kind::disposition, {1, 1}));
  for (std::size_t word = 0; word < local.words.size(); ++word) {
    CAPTURE(to_string(local.kind), word);
    auto all = three(local);
    all[0].words[word] ^= 2U; // opinions stay opinions

    auto same = compare(local, all);

    REQUIRE_FALSE(same);
    CHECK_THAT(same.error().detail, Catch::Matchers::ContainsSubstring(
                                      "rank 0 differs in round 7: "));
  }
  auto all = three(local);
  all[0].texts.push_back({0, "made up"});
  CHECK_FALSE(compare(local, all));
}

TEST_CASE("ranks agree on what became of a work by what each saw",
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
  all[1].words[6] = second;
  all[2].words[6] = third;

  auto answer = agree_observation(observation(here), all);

  REQUIRE(answer);
  REQUIRE(answer->works.size() == 1);
  CHECK(answer->works[0].what == resolved);
}

TEST_CASE("what failed is told in the words of every rank where it did",
          "[core][consensus]") {
  auto all = three(observation(complete));
  say(all[1], 6, failed, "the disk is full");
  all[2].words[6] = failed;

  auto answer = agree_observation(observation(complete), all);

  REQUIRE(answer);
  CHECK(answer->works[0].why
        == "rank 1: the disk is full; rank 2: it did not say why");
}

TEST_CASE("ranks take each work by itself", "[core][consensus]") {
  const auto local = in_round_seven(
    frame_kind::observation, {0, 2, 1, 0, 0, complete, 1, 0, 1, incomplete, 0});
  auto all = three(local);
  all[1].words[5] = failed;

  auto answer = agree_observation(local, all);

  REQUIRE(answer);
  CHECK(answer->works[0].what == resolution::failed_complete);
  CHECK(answer->works[1].what == resolution::incomplete);
}

TEST_CASE("ranks may differ in an observation in what they saw and can do only",
          "[core][consensus]") {
  const auto local = observation(complete);
  for (std::size_t word = 0; word < local.words.size(); ++word) {
    CAPTURE(word);
    auto all = three(local);
    all[1].words[word] ^= 2U;

    CHECK(agree_observation(local, all).has_value()
          == (word == 16)); // `seen` 3 means nothing
  }
}

TEST_CASE("nobody can have seen what means nothing", "[core][consensus]") {
  auto all = three(observation(complete));
  all[2].words[6] = 3;

  auto answer = agree_observation(observation(complete), all);

  REQUIRE_FALSE(answer);
  CHECK(answer.error().detail
        == "rank 2 differs in round 7: observation: work 1/5: seen is 3 there, "
           "which means nothing");
}

TEST_CASE("a command that one rank cannot carry out is refused in its words",
          "[core][consensus]") {
  auto all = three(observation(complete));
  say(all[2], 16, static_cast<std::uint64_t>(errc::no_codec), "no tokens here");

  auto answer = agree_observation(observation(complete), all);

  REQUIRE(answer);
  REQUIRE(answer->commands.size() == 1);
  CHECK(answer->commands[0]
        == failure{errc::no_codec, "rank 2: no tokens here"});
}

TEST_CASE("a work that some ranks cannot prepare fails by the lowest one's "
          "code and in the words of all",
          "[core][consensus]") {
  auto unprepared = [](frame f, errc code, const std::string& why) {
    f.words = {2, 1,  0,  0, static_cast<std::uint64_t>(code),
               0, 2,  0,  5, 0,
               2, 12, 13, 1, 9,
               4, 3,  0,  1, 4};
    f.length = f.words.size();
    f.texts = {{4, why}};
    return f;
  };
  auto all = three(schedule());
  all[1] = unprepared(all[1], errc::state, "no memory");
  all[2] = unprepared(all[2], errc::descriptor, "too big");

  for (const auto& local : all) { // whether it is one of them or not
    CAPTURE(local.rank);
    auto answer = agree_schedule(local, all);

    REQUIRE(answer);
    CHECK(answer->works[0]
          == failure{errc::state, "rank 1: no memory; rank 2: too big"});
    CHECK_FALSE(answer->works[1]);
  }
}

TEST_CASE("ranks that could prepare a work must agree on it, also for one that "
          "could not",
          "[core][consensus]") {
  const auto unprepared =
    in_round_seven(frame_kind::schedule, {1, 1, 0, 0, 6, 0, 0, 0});
  const auto prepared =
    in_round_seven(frame_kind::schedule, {1, 1, 0, 0, 0, 2, 11, 12, 0, 0});
  auto all = three(prepared);
  all[0].words = unprepared.words;
  all[0].length = unprepared.length;
  all[2].words[7] = 99;

  auto answer = agree_schedule(unprepared, all);

  REQUIRE_FALSE(answer);
  CHECK(answer.error().detail
        == "rank 2 differs in round 7: schedule: work 1/0: descriptor word 1 "
           "is 99 there and 12 here");
}

TEST_CASE("a rank that could not prepare a work says nothing of it",
          "[core][consensus]") {
  auto all = three(schedule());
  all[1].words[4] = 6; // and yet there is a descriptor

  auto answer = agree_schedule(schedule(), all);

  REQUIRE_FALSE(answer);
  CHECK(answer.error().detail
        == "rank 1 differs in round 7: schedule: work 1/0: prepared is 6 there "
           "and 0 here");
}

TEST_CASE("a commit that fails on one rank fails for all",
          "[core][consensus]") {
  auto all = three(schedule());
  say(all[1], 18, static_cast<std::uint64_t>(errc::state), "the disk is full");

  auto answer = agree_schedule(schedule(), all);

  REQUIRE(answer);
  CHECK(answer->commits[0] == failure{errc::state, "rank 1: the disk is full"});
}

TEST_CASE("a commit may conflict on all ranks or on none, unless it failed",
          "[core][consensus]") {
  auto local = schedule();
  local.words[18] = 12;
  auto all = three(local);
  CHECK(agree_schedule(local, all));

  say(all[2], 18, static_cast<std::uint64_t>(errc::state), "the disk is full");
  CHECK(agree_schedule(local, all)->commits[0]->code == errc::state);

  all[1].words[18] = 0;
  CHECK_FALSE(agree_schedule(local, all));
}

TEST_CASE("ranks form a group with the greatest life of all",
          "[core][consensus]") {
  auto all = three(formation());
  all[1].words[0] = 9;

  CHECK(agree_formation(formation(), all) == 9U);
}

TEST_CASE("ranks form no group with different states", "[core][consensus]") {
  auto [word, told] = GENERATE(table<std::size_t, std::string>({
    {1, "requests is 3 there and 2 here"},
    {2, "request 1: identity is 3 there and 1 here"},
    {5, "request 2: commits is 21 there and 20 here"},
  }));
  auto all = three(formation());
  all[2].words[word] ^= word == 5 ? 1U : word == 2 ? 2U : 1U;

  auto formed = agree_formation(formation(), all);

  REQUIRE_FALSE(formed);
  CHECK(formed.error().detail
        == "rank 2 differs in round 7: formation: " + told);
}

TEST_CASE("a rank that had stopped is believed, whatever it is asked",
          "[core][consensus]") {
  auto local = GENERATE(schedule(), observation(complete), formation(),
                        in_round_seven(frame_kind::disposition, {1, 1}));
  auto all = three(local);
  all[1] = in_round_seven(frame_kind::poisoned, {});
  all[1].rank = 1;
  all[1].texts = {{0, "rank 2 is gone"}};

  auto same = compare(local, all);

  REQUIRE_FALSE(same);
  CHECK(same.error().detail
        == "rank 1 had stopped before round 7: rank 2 is gone");
}

TEST_CASE("a last word that is none is a difference", "[core][consensus]") {
  auto all = three(schedule());
  all[1].kind = frame_kind::poisoned;

  auto same = compare(schedule(), all);

  REQUIRE_FALSE(same);
  CHECK(same.error().detail
        == "rank 1 differs in round 7: kind is poisoned there and schedule "
           "here");
}

TEST_CASE("frames hold so much of a text, and whole characters",
          "[core][consensus]") {
  frame f;
  put(f, 1, std::string(frame_text::max_bytes - 1, 'x') + "\xC3\xA9 and more");
  put(f, 2, "short");

  CHECK(text_of(f, 0) == std::string(frame_text::max_bytes - 1, 'x'));
  CHECK(text_of(f, 1) == "short");
  CHECK(f.words == std::vector<std::uint64_t>{1, 2});
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
