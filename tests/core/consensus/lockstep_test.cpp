#include "core/turn/lockstep.hpp"

#include "tests/catch.hpp"
#include "tests/core/consensus/lockstep_world.hpp"

using namespace turnstile;
using Catch::Matchers::ContainsSubstring;

namespace {

command_terms to(command_kind kind, request_id id) {
  command_terms terms;
  terms.kind = kind;
  terms.request = id;
  return terms;
}

command_terms notes(request_id id, std::uint64_t works) {
  auto terms = to(command_kind::enqueue, id);
  terms.works = works;
  return terms;
}

/// Commands of all kinds, in the course of some time.
void sing_at_random(lockstep_world& world, std::uint64_t seed) {
  std::mt19937_64 dice{seed};
  for (int i = 0; i < 30; ++i) {
    const request_id id{dice() % 5};
    auto terms = to(static_cast<command_kind>(1 + dice() % 7), id);
    if (dice() % 2 == 0)
      terms = notes(id, 1 + dice() % 3);
    if (terms.kind == command_kind::enqueue) {
      terms.works = 1 + dice() % 3;
      if (dice() % 4 == 0)
        terms.remaining = duration{static_cast<std::int64_t>(dice() % 3'000)};
      terms.policy.ends = static_cast<deadline_policy::scope>(dice() % 2);
      terms.policy.lasts = static_cast<deadline_policy::until>(dice() % 2);
    }
    world.command(terms, static_cast<std::uint32_t>(i));
    world.run(duration{static_cast<std::int64_t>(dice() % 900)});
  }
  world.run(std::chrono::milliseconds{1});
}

/// What the ranks did, if all did the same.
std::string told_by_all(const lockstep_world& world) {
  for (std::size_t rank = 1; rank < world.ranks(); ++rank)
    if (world.told(rank) != world.told(0))
      return "rank " + std::to_string(rank) + ":\n" + world.told(rank)
             + "rank 0:\n" + world.told(0);
  return world.told(0);
}

bool anybody_waits(lockstep_world& world) {
  for (std::size_t rank = 0; rank < world.ranks(); ++rank)
    if (world.core(rank).phase() != turn_phase::idle)
      return true;
  return false;
}

} // namespace

TEST_CASE("an idle group says nothing", "[core][consensus]") {
  lockstep_world world{3, 1, {}};
  world.command(to(command_kind::register_request, alice));
  world.command(notes(alice, 2));
  world.run(std::chrono::seconds{1});
  const auto before = world.messages();

  world.run(std::chrono::hours{10});

  CHECK(world.messages() == before);
  CHECK(told_by_all(world) == "obeyed\nobeyed\ncommitted:1/0\ncommitted:1/1\n");
}

TEST_CASE("a group sends so many messages for a turn", "[core][consensus]") {
  lockstep_world world{3, 1, {}};
  world.command(to(command_kind::register_request, alice));

  world.run(duration{100});

  // Two openings, and each of three ranks tells itself and two others twice.
  CHECK(world.messages() == 2 + 2 * 3 * 3);
}

TEST_CASE("ranks whose clocks are hours apart expire the same works",
          "[core][consensus]") {
  auto seed = GENERATE(1u, 2u, 3u, 4u, 5u);
  lockstep_world world{3, seed, {}};
  auto late = notes(alice, 3);
  late.remaining = duration{1};
  late.policy = {deadline_policy::scope::work, deadline_policy::until::commit};
  world.command(to(command_kind::register_request, alice));
  world.command(late);

  world.run(std::chrono::seconds{1});

  CHECK_THAT(told_by_all(world), ContainsSubstring("dropped:1/2"));
}

TEST_CASE("a rank that dies ends the round of the others with its name",
          "[core][consensus]") {
  auto dead = GENERATE(0u, 1u, 2u);
  lockstep_world world{3, 7, {}};
  world.command(to(command_kind::register_request, alice));
  world.run(duration{1}); // its frame of the first round is on its way
  world.kill(dead);

  world.run(std::chrono::seconds{1});

  for (std::size_t rank = 0; rank < 3; ++rank)
    if (rank != dead) {
      REQUIRE(world.core(rank).poison_reason());
      CHECK_THAT(*world.core(rank).poison_reason(),
                 ContainsSubstring("rank " + std::to_string(dead)
                                   + " did not answer in round"));
    }
}

TEST_CASE("a group whose rank was replaced goes on in its next epoch",
          "[core][consensus]") {
  lockstep_world world{3, 7, {}};
  world.command(to(command_kind::register_request, alice));
  world.command(notes(alice, 3));
  world.run(duration{1'000});
  world.kill(2);
  world.command(notes(alice, 3));
  world.run(std::chrono::seconds{1});
  REQUIRE(world.rank(0).is_frozen());

  world.replace(2, 0);
  world.form(2);
  world.run(duration{100});
  for (std::size_t rank = 0; rank < 3; ++rank)
    CHECK_FALSE(world.rank(rank).is_frozen());

  world.command(notes(alice, 1));
  world.run(std::chrono::seconds{1});
  for (std::size_t rank = 0; rank < 3; ++rank)
    CHECK_THAT(world.told(rank), ContainsSubstring("revived:1\nobeyed\n"));
  CHECK(world.song_of(0, alice) == world.song_of(2, alice));
}

TEST_CASE("ranks do the same whatever the network does to the order of their "
          "frames",
          "[core][consensus][random]") {
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    CAPTURE(seed);
    const auto ranks = std::array{2, 3, 5, 16}[seed % 16 == 0 ? 3 : seed % 3];
    lockstep_world world{
      static_cast<std::size_t>(ranks), seed, {400, 200, 0, duration{500}}};
    world.has_bad_days = true;

    sing_at_random(world, seed);

    CHECK_FALSE(anybody_waits(world));
    CHECK(world.at_backends() == 0);
    const auto told = told_by_all(world);
    REQUIRE_THAT(told, !ContainsSubstring("rank"));
    REQUIRE_THAT(told, !ContainsSubstring("poisoned"));
  }
}

TEST_CASE("ranks that lose frames never hang, and go on once they are formed "
          "anew",
          "[core][consensus][random]") {
  std::uint64_t frozen = 0;
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    CAPTURE(seed);
    lockstep_world world{2 + seed % 4, seed, {300, 100, 20, duration{500}}};
    world.has_bad_days = true;
    sing_at_random(world, seed);
    CHECK_FALSE(anybody_waits(world));
    if (!world.rank(0).is_frozen())
      continue; // nothing that mattered was lost
    ++frozen;

    world.mend();
    world.reconcile();
    world.form(2);
    world.command(to(command_kind::register_request, {77}));
    world.command(notes({77}, 1));
    world.run(std::chrono::milliseconds{1});

    CHECK_FALSE(anybody_waits(world));
    for (std::size_t rank = 0; rank < world.ranks(); ++rank) {
      REQUIRE_FALSE(world.rank(rank).is_frozen());
      CHECK(world.core(rank).status_of({77}));
    }
  }
  CHECK(frozen > 500); // else this test tests nothing
}
