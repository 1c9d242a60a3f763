// Three processes hold a group each time, and one field of one rank's frames is
// changed on its way out: every rank has to say whose, in which round and which
// field. Ends with 0 if all do for every field of every rank.
//
//     process 0: asks for each case      processes 0, 1, 2: a stage each
//       open(case, rank, ...)  --------> a rank of that case, if it is the one
//       join(case, who, handle) -------> to be changed behind relays
//
// Without arguments it is process 0 and starts the others.

#include "actors/backend/function_backend.hpp"
#include "actors/caf/network.hpp"
#include "actors/rank/rank_state.hpp"
#include "tests/core/consensus/scenario_fields.hpp"

#include <google/protobuf/wrappers.pb.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

extern char** environ;

namespace cluster {

using namespace turnstile;
using namespace std::chrono_literals;

/// Where one process's ranks come from.
using stage_actor = typed_actor<
  /// Spawns the rank of a case. The third number is the place of the word or
  /// header field that it says wrongly, in the round of the second; nobody
  /// says anything wrongly if that is no round.
  caf::result<rank_actor>(open_atom, std::uint64_t, std::uint64_t,
                          std::uint64_t),
  /// Makes a rank known to that of a case.
  caf::result<void>(join_atom, std::uint64_t, std::uint64_t, rank_peer_actor)>;

/// Where the stages meet.
using roll_actor =
  typed_actor<caf::result<void>(join_atom, std::uint64_t, stage_actor),
              caf::result<std::uint64_t>(calls_atom),
              caf::result<stage_actor>(open_atom, std::uint64_t)>;

} // namespace cluster

CAF_BEGIN_TYPE_ID_BLOCK(cluster_test, caf::first_custom_type_id + 900)

  CAF_ADD_TYPE_ID(cluster_test, (cluster::stage_actor))

CAF_END_TYPE_ID_BLOCK(cluster_test)

namespace cluster {

constexpr std::size_t ranks = 3;
constexpr std::uint64_t nowhere = 99;

/// The words and then the header fields of a round, by name.
std::string field_name(std::size_t round, std::size_t place) {
  const auto& words = scenario::rounds[round];
  return place < words.size() ? words[place]
                              : scenario::header[place - words.size()].first;
}

std::size_t fields(std::size_t round) {
  return scenario::rounds[round].size() + scenario::header.size();
}

/// Which round of the scenario a frame is of. Real ranks hold others besides,
/// in which nothing is known to all of them.
std::uint64_t round_of(const frame& word) {
  const auto& w = word.words;
  if (word.kind == frame_kind::schedule)
    return w[0] > 0 ? 1 : w[1] > 0 ? 3 : nowhere;
  if (word.kind != frame_kind::observation)
    return nowhere;
  return w.back() > 0 || w.size() > 20 ? 0 : w[0] > 0 && w[2] > 0 ? 2 : nowhere;
}

/// Passes on what its rank says to another one, with one field changed.
class relay {
public:
  relay(rank_peer_actor::pointer self, rank_peer_actor to, std::uint64_t round,
        std::uint64_t place)
    : self_(self), to_(std::move(to)), round_(round), place_(place) {}

  rank_peer_actor::behavior_type make_behavior() {
    return {
      [this](const wire::RankCommand& message) {
        return mail(self_, message).delegate(to_);
      },
      [this](const wire::TurnOpened& message) {
        return mail(self_, message).delegate(to_);
      },
      [this](const wire::Frame& message) {
        return mail(self_, to_wire(change(from_wire(message)))).delegate(to_);
      },
      [this](const wire::TurnWanted& message) {
        return mail(self_, message).delegate(to_);
      },
    };
  }

private:
  frame change(frame word) {
    if (has_changed_ || round_of(word) != round_)
      return word;
    has_changed_ = true;
    const auto words = scenario::rounds[round_].size();
    if (place_ >= words)
      scenario::header[place_ - words].second(word);
    else
      word.words[place_] ^= 1U;
    return word;
  }

  rank_peer_actor::pointer self_;
  rank_peer_actor to_;
  std::uint64_t round_;
  std::uint64_t place_;
  bool has_changed_ = false;
};

struct sum_state {
  using branch_type = std::int64_t;
  [[nodiscard]] result<branch_type> branch() const { return sum; }
  status commit_branch(branch_type&& branch) { return sum = branch, status{}; }
  static status apply(branch_type& branch,
                      google::protobuf::Int64Value& outcome) {
    return branch += outcome.value(), status{};
  }
  std::int64_t sum = 0;
};

struct sum_program {
  using work_message = google::protobuf::Int64Value;
  using outcome_message = google::protobuf::Int64Value;
  using state_type = sum_state;
  static result<state_type> make_state(const std::string&) {
    return state_type{};
  }
};

class stage {
public:
  stage(stage_actor::pointer self, std::uint64_t rank)
    : self_(self), rank_(rank),
      backend_(spawn_function_backend<google::protobuf::Int64Value>(
        self->system(), "echo", [](const google::protobuf::Int64Value& work) {
          return result<google::protobuf::Int64Value>{work};
        })) {}

  stage_actor::behavior_type make_behavior() {
    return {
      [this](open_atom, std::uint64_t number, std::uint64_t round,
             std::uint64_t place) -> caf::result<rank_actor> {
        rank_options options;
        options.settings.limits = {8, 64, 8, 1, 8, 1, 64};
        options.group = {ranks, rank_, 42, 1, 3s};
        options.backend = backend_;
        auto& at = parts_[number];
        at = {*spawn_rank<sum_program>(self_, options), round, place};
        return at.rank;
      },
      [this](join_atom, std::uint64_t number, std::uint64_t who,
             const rank_peer_actor& peer) { join(parts_[number], who, peer); },
    };
  }

private:
  struct part {
    rank_actor rank;
    std::uint64_t round = nowhere;
    std::uint64_t place = 0;
  };

  void join(const part& at, std::uint64_t who, rank_peer_actor peer) {
    if (at.round != nowhere)
      peer = turnstile::spawn<relay>(self_, peer, at.round, at.place);
    else if (who == rank_)
      return; // it hears itself directly
    mail(self_, join_atom_v, who, peer).send(at.rank);
  }

  stage_actor::pointer self_;
  std::uint64_t rank_;
  backend_actor backend_;
  std::map<std::uint64_t, part> parts_;
};

class roll {
public:
  roll_actor::behavior_type make_behavior() {
    return {
      [this](join_atom, std::uint64_t rank, const stage_actor& who) {
        here_[rank] = who;
      },
      [this](calls_atom) { return std::uint64_t{here_.size()}; },
      [this](open_atom, std::uint64_t rank) { return here_[rank]; },
    };
  }

private:
  std::map<std::uint64_t, stage_actor> here_;
};

/// One field of one rank in one round.
struct field_case {
  std::uint64_t number = 0;
  std::size_t rank = 0;
  std::size_t round = 0;
  std::size_t place = 0;
  std::vector<rank_actor> group;
};

wire::RankCommand command(command_kind kind, std::uint64_t request) {
  command_terms terms;
  terms.kind = kind;
  terms.request = {request};
  return to_wire(terms);
}

wire::RankCommand work(std::uint64_t request) {
  auto message = command(command_kind::enqueue, request);
  google::protobuf::Int64Value one;
  one.set_value(1);
  message.add_payloads(one.SerializeAsString());
  message.set_works(1);
  return message;
}

class director {
public:
  director(caf::actor_system& system, std::vector<stage_actor> stages)
    : self_(system), stages_(std::move(stages)) {}

  /// Lets a group go through the scenario. Its commands come first, so that
  /// they share its first turn.
  void begin(field_case& which) {
    for (std::size_t rank = 0; rank < ranks; ++rank)
      which.group.push_back(*ask<rank_actor>(
        self_, stages_[rank], open_atom_v, which.number,
        std::uint64_t{rank == which.rank ? which.round : nowhere},
        std::uint64_t{which.place}));
    auto late = work(2);
    late.mutable_deadline()->set_remaining_ns(5);
    for (const auto& one :
         {command(command_kind::register_request, 1),
          command(command_kind::register_request, 2), work(1), late})
      anon_mail(one).send(which.group[0]);
    for (auto at = ranks; at-- > 0;) // the leader begins when it knows all
      for (std::size_t who = 0; who < ranks; ++who)
        ask<void>(self_, stages_[at], join_atom_v, which.number,
                  std::uint64_t{who}, rank_peer_actor{which.group[who]});
  }

  /// Whether every rank of the group says what was wrong.
  bool end(field_case& which) {
    bool all = true;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto said = why_frozen(which.group[rank]);
      const auto told =
        "rank " + std::to_string(which.rank) + " differs in round ";
      const auto name = field_name(which.round, which.place);
      const auto at = said.find(told);
      if (at != std::string::npos
          && said.find(": " + name, at) != std::string::npos)
        continue;
      all = false;
      std::printf("rank %d, round %d, %s: rank %d says \"%s\"\n",
                  int(which.rank), int(which.round), name.c_str(), int(rank),
                  said.c_str());
    }
    for (const auto& rank : which.group)
      self_->send_exit(rank, caf::exit_reason::user_shutdown);
    return all;
  }

private:
  std::string why_frozen(const rank_actor& rank) {
    for (int tries = 0; tries < 500; ++tries) {
      auto state = ask<wire::GroupState>(self_, rank, wire::GroupQuery{});
      if (!state)
        return to_string(state.error());
      if (state->has_frozen())
        return state->frozen();
      std::this_thread::sleep_for(20ms);
    }
    return "nothing";
  }

  caf::scoped_actor self_;
  std::vector<stage_actor> stages_;
};

int direct(caf::actor_system& system, const std::vector<stage_actor>& stages) {
  std::vector<field_case> all;
  for (std::size_t round = 0; round < scenario::rounds.size(); ++round)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      for (std::size_t place = 0; place < fields(round); ++place)
        all.push_back({all.size(), rank, round, place, {}});
  director says{system, stages};
  constexpr std::size_t at_once = 100;
  std::size_t wrong = 0;
  for (std::size_t first = 0; first < all.size(); first += at_once) {
    const auto last = std::min(all.size(), first + at_once);
    for (auto i = first; i < last; ++i)
      says.begin(all[i]);
    for (auto i = first; i < last; ++i)
      wrong += says.end(all[i]) ? 0 : 1;
  }
  std::printf("%d fields changed, %d not told by all\n", int(all.size()),
              int(wrong));
  return wrong == 0 ? 0 : 1;
}

int lead(caf::actor_system& system, const stage_actor& mine) {
  auto meeting = turnstile::spawn<roll>(system);
  auto port = publish(system, meeting, 0);
  std::vector<pid_t> children;
  for (std::size_t rank = 1; port && rank < ranks; ++rank) {
    auto number = std::to_string(rank);
    auto where = std::to_string(*port);
    std::array<char*, 4> words{const_cast<char*>("corrupted_ranks"),
                               number.data(), where.data(), nullptr};
    posix_spawn(&children.emplace_back(), "/proc/self/exe", nullptr, nullptr,
                words.data(), environ);
  }
  int how = 1;
  {
    caf::scoped_actor self{system};
    ask<void>(self, meeting, join_atom_v, std::uint64_t{0}, mine);
    for (int tries = 0; tries < 500; ++tries) {
      if (*ask<std::uint64_t>(self, meeting, calls_atom_v) == ranks)
        break;
      std::this_thread::sleep_for(20ms);
    }
    std::vector<stage_actor> stages;
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
      stages.push_back(*ask<stage_actor>(self, meeting, open_atom_v, rank));
    how = direct(system, stages);
    for (const auto& stage : stages)
      self->send_exit(stage, caf::exit_reason::user_shutdown);
    self->send_exit(meeting, caf::exit_reason::user_shutdown);
  }
  for (auto child : children)
    waitpid(child, nullptr, 0);
  return how;
}

/// Lends its stage until the leader has it ended.
int follow(caf::actor_system& system, const stage_actor& mine,
           std::uint64_t rank, std::uint16_t port) {
  auto meeting = connect<roll_actor>(system, "127.0.0.1", port);
  if (!meeting)
    return std::fprintf(stderr, "%s\n", to_string(meeting.error()).c_str()), 1;
  caf::scoped_actor self{system};
  ask<void>(self, *meeting, join_atom_v, rank, mine);
  self->wait_for(mine);
  return 0;
}

} // namespace cluster

int main(int argc, char** argv) {
  spdlog::set_level(spdlog::level::off); // that ranks freeze is what we want
  turnstile::node_config<caf::id_block::cluster_test> config;
  config.use_network();
  caf::actor_system system{config};
  const auto rank = argc < 3 ? 0 : std::strtoul(argv[1], nullptr, 10);
  auto mine = turnstile::spawn<cluster::stage>(system, rank);
  if (argc < 3)
    return cluster::lead(system, mine);
  return cluster::follow(
    system, mine, rank,
    static_cast<std::uint16_t>(std::strtoul(argv[2], nullptr, 10)));
}
