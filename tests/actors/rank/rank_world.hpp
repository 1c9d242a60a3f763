#pragma once

#include "actors/rank/rank_state.hpp"
#include "tests/actors/scheduler/counter_program.hpp"
#include "tests/actors/scheduler/scheduler_world.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace counter_tests {

/// Counters whose ranks may each bring works of their own: as large as the
/// rank's number says.
struct ranked_counter : counter_program {
  std::int64_t mine = 0;

  result<std::vector<work_message>>
  supply_works(const wire::RankCommand& command) const {
    if (mine < 0)
      return fail(errc::no_codec, "this rank has no tokens");
    std::vector<work_message> works(command.works());
    for (auto& work : works)
      work.set_value(mine + 1); // one byte, and so of one description
    return works;
  }
};

/// A rank that was lost without its connection: it hears everything and says
/// nothing.
struct silent_rank {
  explicit silent_rank(rank_peer_actor::pointer) {}
  rank_peer_actor::behavior_type make_behavior() {
    return {
      [](const wire::RankCommand&) -> caf::result<wire::CommandDone> {
        return to_error({errc::rank_lost, "silence"});
      },
      [](const wire::TurnOpened&) {},
      [](const wire::Frame&) {},
      [](const wire::TurnWanted&) {},
    };
  }
};

/// Apart, since it takes the compiler long.
result<rank_actor> spawn_counter_rank(caf::actor_system& system,
                                      const rank_options& options,
                                      std::int64_t mine);

/// The ranks of a group on virtual time, each with a backend of its own.
/// Nothing happens before `settle()` or `advance()`.
struct rank_world {
  explicit rank_world(std::size_t ranks) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      backends.emplace_back();
      this->ranks.emplace_back();
      spawn(rank, ranks, {adds(1)});
    }
  }

  ~rank_world() {
    for (const auto& one : ranks)
      still.kill(one);
    for (const auto& one : backends)
      still.kill(one);
  }

  static rank_options options(std::size_t rank, std::size_t ranks) {
    rank_options all;
    all.settings.limits.max_new_submissions_per_turn = 4;
    all.settings.limits.max_in_flight_global = 8;
    all.settings.limits.max_in_flight_per_request = 1;
    all.group = {ranks, rank, 42, 1, 2s};
    return all;
  }

  /// Begins a rank, or one in another's place, whose backend follows `steps`.
  void spawn(std::size_t rank, std::size_t of, std::vector<backend_step> steps,
             bool joins_late = false) {
    backends[rank] =
      backend_actor{turnstile::spawn<testing::scripted_backend_state>(
        still.system(), std::string{"mock"}, std::move(steps))};
    auto all = options(rank, of);
    all.backend = backends[rank];
    all.joins_late = joins_late;
    ranks[rank] =
      *spawn_counter_rank(still.system(), all, static_cast<std::int64_t>(rank));
  }

  /// Makes every rank known to every other one.
  void meet() {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      introduce(rank);
    still.settle();
  }

  void introduce(std::size_t rank) {
    for (std::size_t other = 0; other < ranks.size(); ++other)
      if (other != rank)
        joins(other, rank, rank_peer_actor{ranks[rank]});
  }

  void joins(std::size_t at, std::uint64_t rank, const rank_peer_actor& peer) {
    ask<void>(ranks[at], join_atom_v, rank, peer);
  }

  // --- commands

  static wire::RankCommand command(command_kind kind, std::uint64_t id) {
    command_terms terms;
    terms.kind = kind;
    terms.request = {id};
    return to_wire(terms);
  }

  static wire::RankCommand works(std::uint64_t id, std::uint64_t count) {
    auto message = command(command_kind::enqueue, id);
    message.set_works(count);
    google::protobuf::Int64Value one;
    for (std::uint64_t i = 0; i < count; ++i)
      message.add_payloads(one.SerializeAsString());
    return message;
  }

  pending<wire::CommandDone> tell(std::size_t rank,
                                  const wire::RankCommand& message) {
    return ask<wire::CommandDone>(ranks[rank], message);
  }

  pending<wire::WorkEnded> await(std::size_t rank, std::uint64_t id,
                                 std::uint64_t sequence,
                                 std::uint64_t life = 0) {
    wire::AwaitWork message;
    *message.mutable_work_id() = to_wire(work_id{{id}, sequence, life});
    return ask<wire::WorkEnded>(ranks[rank], message);
  }

  wire::GroupState look(std::size_t rank) {
    auto answer = ask<wire::GroupState>(ranks[rank], wire::GroupQuery{});
    still.settle();
    REQUIRE(*answer);
    return ***answer;
  }

  /// Why a rank is frozen; empty if it is not.
  std::string frozen(std::size_t rank) { return look(rank).frozen(); }

  wire::Report report(std::size_t rank) {
    auto answer = ask<wire::Report>(ranks[rank], wire::ReportQuery{});
    still.settle();
    REQUIRE(*answer);
    return ***answer;
  }

  template <class T, class To, class... Xs>
  pending<T> ask(const To& to, Xs... xs) {
    auto slot = testing::new_pending<T>();
    testing::spawn_asker<T>(still.system(), testing::asks(to, std::move(xs)...),
                            testing::noting<T>(slot));
    return slot;
  }

  world still;
  std::vector<backend_actor> backends;
  std::vector<rank_actor> ranks;
};

// As `text` of other answers.

inline std::string text(const pending<wire::CommandDone>& answer) {
  return testing::text_of(answer, [](const wire::CommandDone& done) {
    std::string said = "done";
    for (const auto& id : done.accepted())
      said += " " + to_string(*from_wire(id));
    if (done.has_state())
      said += " at " + done.state();
    if (done.has_status())
      said += " " + std::string{to_string(*from_wire(done.status()))};
    return said;
  });
}

inline std::string text(const pending<wire::Formed>& answer) {
  return testing::text_of(answer, [](const wire::Formed& formed) {
    auto said = "formed " + std::to_string(formed.epoch());
    for (const auto& id : formed.requests())
      said += " " + to_string(*from_wire(id));
    return said;
  });
}

} // namespace counter_tests
