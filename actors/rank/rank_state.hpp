#pragma once

#include "actors/interfaces.hpp"
#include "actors/rank/rank_flights.hpp"
#include "actors/rank/rank_options.hpp"
#include "actors/rank/rank_peers.hpp"
#include "actors/scheduler/ended_works.hpp"
#include "actors/scheduler/ending_messages.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "core/turn/lockstep.hpp"
#include "messages/translate.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// Optional, for programs whose ranks do not all get the same: makes this
/// rank's own works for a command that says so, as many as it says.
template <class P>
concept supplies_works = requires(P& program,
                                  const wire::RankCommand& command) {
  {
    program.supply_works(command)
    } -> std::same_as<result<std::vector<typename P::work_message>>>;
};

/// A program that ranks can run in lockstep: hosted, with nothing per request
/// but its state, and nothing between a backend's outcome and its commit.
template <class P>
concept lockstep_program =
  hosted_program<P> && std::same_as < result_of_program<P>,
typename P::outcome_message
  > &&std::same_as<attempts_of_program<P>, std::monostate>;

/// Hosts one rank of a group: brings its messages, its time and its backend to
/// `lockstep_rank`, and what that says to the others and to clients.
///
/// The leader opens a turn when it has commands, when a rank has asked for one,
/// or when time or free slots give it something to do; else nobody says
/// anything. Commands that come while a turn goes on wait for the next one, and
/// come all together.
template <lockstep_program P>
class rank_state final : private lockstep_rank<core_program<P>>::host {
public:
  static constexpr const char* name = "turnstile.rank";

  using core_type = scheduler<core_program<P>>;
  using outcome = typename core_type::outcome;
  using group_type = lockstep_rank<core_program<P>>;
  using command = typename group_type::command;

  /// @pre the limits in `options` are valid (`spawn_rank` checks)
  rank_state(rank_actor::pointer self, const rank_options& options, P program)
    : self_(self), options_(options), program_(std::move(program)),
      core_(std::move(*core_type::create(without_gate(options)))),
      group_(core_, *this, options.group,
             [this](const submission& what, const hosted_work<P>& work, auto&) {
               return execute(what, work);
             }),
      flights_(self, options.backend,
               [this](const work_id& id, std::uint32_t submission,
                      rank_flights::ending how) {
                 completed(id, submission, std::move(how));
               }),
      peers_(
        self, options.group.ranks, options.group.rank,
        [this](std::size_t rank, const caf::error& why) { lose(rank, why); }),
      ended_works_(options.max_unawaited_ends) {
    if (options.joins_late)
      core_.poison("it waits for its group to be formed", instant{});
  }

  rank_actor::behavior_type make_behavior() {
    return {
      [this](const wire::RankCommand& message) { return take(message); },
      [this](const wire::TurnOpened& message) { open(message); },
      [this](const wire::Frame& message) { hear(message); },
      [this](const wire::TurnWanted& message) {
        is_asked_ |= message.epoch() == group_.epoch();
        follow_up();
      },
      [this](join_atom, std::uint64_t rank, const rank_peer_actor& peer) {
        auto joined = peers_.join(rank, peer);
        follow_up();
        return answer(std::move(joined));
      },
      [this](const wire::AwaitWork& message) { return await(message); },
      [this](const wire::StatusQuery& message) {
        return answer(status_of(message));
      },
      [this](const wire::ReportQuery&) { return to_wire(core_.report()); },
      [this](const wire::GroupQuery&) { return look(); },
      [this](const wire::FormGroup& message) { return form(message); },
      [this](const wire::KeptStatesQuery&) { return answer(kept_states()); },
      [this](const wire::KeptStates& message) {
        return answer(adopt(message));
      },
      [this](turn_atom) {
        is_turn_coming_ = false;
        drive();
      },
      [this](wake_atom, std::uint64_t number) {
        if (number != alarm_)
          return;
        rings_at_.reset();
        group_.tick(time());
        follow_up();
      },
    };
  }

private:
  /// A command that waits for its turn, or is in it.
  struct order {
    wire::RankCommand message;
    owed_answer<wire::CommandDone> owed;
  };

  static scheduler_settings without_gate(const rank_options& options) {
    auto settings = options.settings;
    settings.hold_until_durable = false;
    return settings;
  }

  // --- commands

  caf::result<wire::CommandDone> take(const wire::RankCommand& message) {
    if (auto terms = from_wire(message); !terms)
      return to_error(terms.error());
    if (group_.is_frozen())
      return to_error({errc::poisoned, *core_.poison_reason()});
    if (!group_.is_leader()) {
      if (!peers_.leader())
        return to_error({errc::rank_lost, "the leader is not there"});
      return mail(self_, message).delegate(peers_.leader());
    }
    auto& added = orders_.emplace_back(
      order{message, owed_answer<wire::CommandDone>{self_}});
    auto later = added.owed.later();
    follow_up();
    return later;
  }

  /// Makes of a command what this rank does with it.
  command read(const wire::RankCommand& message) {
    command made;
    auto terms = from_wire(message);
    if (!terms) {
      made.missing = terms.error();
      return made;
    }
    made.terms = *terms;
    if (auto read = read_payload(message, made); !read)
      made.missing = std::move(read.error());
    return made;
  }

  status read_payload(const wire::RankCommand& message, command& into) {
    return caught(errc::invalid_argument, "reading a command", [&]() -> status {
      if (into.terms.kind == command_kind::register_request) {
        auto state = program_.make_state(message.state());
        if (!state)
          return fail(state.error());
        into.state.emplace(std::move(*state));
        return {};
      }
      if (into.terms.kind != command_kind::enqueue)
        return {};
      auto works = read_works(message);
      if (!works)
        return fail(works.error());
      for (auto& work : *works)
        into.works.emplace_back().message = std::move(work);
      return {};
    });
  }

  result<std::vector<typename P::work_message>>
  read_works(const wire::RankCommand& message) {
    if (message.own()) {
      if constexpr (supplies_works<P>)
        return program_.supply_works(message);
      else
        return fail(errc::no_codec, "this program supplies no works of its "
                                    "own");
    }
    std::vector<typename P::work_message> works(
      static_cast<std::size_t>(message.payloads_size()));
    for (int i = 0; i < message.payloads_size(); ++i)
      if (!works[static_cast<std::size_t>(i)].ParseFromString(
            message.payloads(i)))
        return fail(errc::invalid_argument, "RankCommand.payloads: number "
                                              + std::to_string(i)
                                              + " is no work of this program");
    return works;
  }

  // --- turns

  void open(const wire::TurnOpened& message) {
    auto opened = from_wire(message);
    if (!opened) {
      spdlog::error("rank_refuses rank={} reason=\"{}\"", options_.group.rank,
                    opened.error().detail);
      group_.freeze(std::move(opened.error()), time());
    } else {
      std::vector<command> commands;
      for (const auto& one : message.commands())
        commands.push_back(read(one));
      group_.open(*opened, std::move(commands), time());
    }
    follow_up();
  }

  void hear(const wire::Frame& message) {
    if (auto from = peers_.sender(message.rank()))
      group_.arrive(*from, from_wire(message), time());
    else
      spdlog::warn("rank_hears_stranger rank={} says={}", options_.group.rank,
                   message.rank());
    follow_up();
  }

  /// Opens a turn, if this rank leads and there is a reason to.
  void drive() {
    if (group_.is_leader() && group_.is_idle() && peers_.is_complete()
        && wants_turn()) {
      is_asked_ = false;
      auto message = to_wire(group_.begin(time()));
      for (auto& one : std::exchange(orders_, {})) {
        *message.add_commands() = std::move(one.message);
        owed_.push_back(std::move(one.owed));
      }
      peers_.send(message);
      open(message);
    }
    follow_up();
  }

  [[nodiscard]] bool wants_turn() const {
    if (is_asked_ || !orders_.empty())
      return true;
    const auto local = time();
    const auto next = group_.next_turn(local);
    return next && *next <= group_.clock().estimate(local);
  }

  /// Asks for turns, or arms whatever comes next.
  void follow_up() {
    if (group_.is_leader()) {
      if (group_.is_idle() && peers_.is_complete() && wants_turn())
        return drive_soon();
    } else if (group_.has_news() && !is_wanting_ && group_.is_idle()) {
      is_wanting_ = true;
      wire::TurnWanted wanted;
      wanted.set_format(rank_format);
      wanted.set_epoch(group_.epoch());
      wanted.set_rank(options_.group.rank);
      mail(self_, std::move(wanted)).send(peers_.leader());
    }
    arm_next();
  }

  void drive_soon() {
    if (!std::exchange(is_turn_coming_, true))
      mail(self_, turn_atom_v).send(rank_actor{self_});
  }

  void arm_next() {
    const auto now = time();
    auto next = group_.deadline();
    if (group_.is_leader() && group_.is_idle())
      if (auto turn = group_.next_turn(now)) {
        const auto after = *turn - group_.clock().estimate(now);
        const auto at = later(now, std::max(after, duration::zero()));
        next = next ? std::min(*next, at) : at;
      }
    if (!next || *next == instant::max() || (rings_at_ && *rings_at_ <= *next))
      return;
    rings_at_ = next;
    mail(self_, wake_atom_v, ++alarm_)
      .delay(caf::timespan{std::max(*next - now, duration::zero())})
      .send(rank_actor{self_});
  }

  // --- what the group says: `lockstep_rank::host`

  void send(const frame& word) override { peers_.send(to_wire(word)); }

  void did(outcome&& out) override {
    is_wanting_ = false;
    settle_orders(out);
    for (const auto& row : out.abandoned)
      flights_.stop(row.id);
    for (const auto& row : out.committed)
      ended_works_.tell(row.id, message_of<P>(row));
    for (const auto& row : out.failed)
      ended_works_.tell(row.id, message_of<P>(row));
    for (const auto& row : out.dropped)
      ended_works_.tell(row.id, message_of<P>(row));
    if (out.poisoned)
      freeze(*out.poisoned);
    if (forming_ && !out.poisoned && !group_.is_frozen()
        && core_.phase() == turn_phase::idle)
      formed(out);
    core_.recycle(std::move(out));
  }

  void did_not_form(const failure& why) override {
    spdlog::error("rank_not_formed rank={} reason=\"{}\"", options_.group.rank,
                  why.detail);
    if (auto owed = std::exchange(forming_, std::nullopt))
      owed->settle(fail(why));
  }

  /// Answers the commands of the turn, in whose last part their rows are known
  /// to be the same on all ranks.
  void settle_orders(outcome& out) {
    for (auto& row : out.commands)
      rows_.push_back(std::move(row));
    if (out.waiting != turn_phase::idle)
      return;
    auto rows = std::exchange(rows_, {});
    auto owed = std::exchange(owed_, {});
    for (std::size_t i = 0; i < owed.size(); ++i)
      if (out.poisoned)
        owed[i].settle(fail(*out.poisoned));
      else
        owed[i].settle(answer_of(rows[i]));
  }

  result<wire::CommandDone>
  answer_of(typename outcome::command_row& row) const {
    if (row.refused)
      return fail(std::move(*row.refused));
    wire::CommandDone done;
    for (const auto& id : row.accepted)
      *done.add_accepted() = to_wire(id);
    if (row.forgotten)
      done.set_status(to_wire(*row.forgotten));
    if constexpr (encodable_state<typename P::state_type>)
      if (row.state) {
        auto bytes =
          guarded(errc::state, "encode", [&] { return row.state->encode(); });
        if (!bytes)
          return fail(std::move(bytes.error()));
        done.set_state(std::move(*bytes));
      }
    return done;
  }

  void freeze(const failure& why) {
    spdlog::error("rank_frozen rank={} epoch={} code={} reason=\"{}\"",
                  options_.group.rank, group_.epoch(), to_string(why.code),
                  why.detail);
    for (auto& one : std::exchange(orders_, {}))
      one.owed.settle(fail(why));
  }

  void lose(std::size_t rank, const caf::error& why) {
    group_.freeze({errc::rank_lost,
                   "rank " + std::to_string(rank)
                     + " is gone: " + to_failure(self_->system(), why).detail},
                  time());
    follow_up();
  }

  // --- executing

  result<hosted_output> execute(const submission& what,
                                const hosted_work<P>& work) {
    auto started = flights_.start(what, work.message.SerializeAsString(),
                                  group_.clock().last());
    if (!started)
      return fail(std::move(started.error()));
    return hosted_output{"rank", true};
  }

  void completed(const work_id& id, std::uint32_t submission,
                 rank_flights::ending how) {
    core_.observe(id, read_end(how), submission);
    if (group_.is_frozen())
      did(core_.poll_completions(group_.clock().last()));
    else
      group_.note_news();
    follow_up();
  }

  static typename core_type::completion
  read_end(const rank_flights::ending& how) {
    if (!how)
      return fail(how.error());
    typename P::outcome_message read;
    if (!read.ParseFromArray(how->data(), static_cast<int>(how->size())))
      return fail(errc::completion,
                  "Completed.outcome is no outcome of this program");
    return read;
  }

  // --- questions

  caf::result<wire::WorkEnded> await(const wire::AwaitWork& message) {
    auto id = from_wire(message.work_id(), "AwaitWork.work_id");
    if (!id)
      return to_error(id.error());
    if (auto kept = ended_works_.take(*id))
      return std::move(*kept);
    const auto lifecycle = core_.lifecycle(*id);
    if (!lifecycle)
      return to_error(
        {errc::unknown_work, "no work " + to_string(*id) + " is known here"});
    if (core_.submissions_of(*id) == 0 && core_.find_work(*id) == nullptr)
      return work_ended(*id, *lifecycle);
    owed_answer<wire::WorkEnded> owed{self_};
    auto later = owed.later();
    ended_works_.await(*id, std::move(owed));
    return later;
  }

  result<wire::StatusAnswer> status_of(const wire::StatusQuery& message) const {
    auto id = from_wire(message.request(), "StatusQuery.request");
    if (!id)
      return fail(id.error());
    wire::StatusAnswer stands;
    *stands.mutable_request() = message.request();
    if (auto how = core_.status_of(*id))
      stands.set_status(to_wire(*how));
    if (auto life = core_.life_of(*id))
      stands.set_life(*life);
    stands.set_queued_work(core_.queued_for(*id));
    return stands;
  }

  [[nodiscard]] wire::GroupState look() const {
    wire::GroupState state;
    state.set_epoch(group_.epoch());
    state.set_rank(options_.group.rank);
    state.set_ranks(options_.group.ranks);
    state.set_clock_ns(group_.clock().last().time_since_epoch().count());
    state.set_next_round(core_.next_round());
    if (group_.is_frozen())
      state.set_frozen(*core_.poison_reason());
    return state;
  }

  // --- another epoch

  caf::result<wire::Formed> form(const wire::FormGroup& message) {
    if (!group_.is_leader())
      return to_error(
        {errc::invalid_argument, "only the lowest rank forms a group, not rank "
                                   + std::to_string(options_.group.rank)});
    if (!peers_.is_complete())
      return to_error({errc::rank_lost, "not all ranks have joined"});
    if (message.epoch() <= group_.epoch())
      return to_error(
        {errc::invalid_argument, "epoch " + std::to_string(message.epoch())
                                   + " is not higher than the last one, "
                                   + std::to_string(group_.epoch())});
    if (forming_)
      return to_error({errc::turn_in_progress, "the group is being formed"});
    forming_.emplace(self_);
    auto later = forming_->later();
    auto opened = to_wire(group_.begin_formation(message.epoch(), time()));
    peers_.send(opened);
    open(opened);
    return later;
  }

  void formed(const outcome& out) {
    spdlog::info("rank_formed rank={} epoch={} requests={}",
                 options_.group.rank, group_.epoch(), out.revived.size());
    wire::Formed done;
    done.set_epoch(group_.epoch());
    for (const auto& row : out.revived)
      *done.add_requests() = to_wire(row.request);
    std::exchange(forming_, std::nullopt)->settle(std::move(done));
  }

  result<wire::KeptStates> kept_states() const {
    if constexpr (!encodable_state<typename P::state_type>) {
      return fail(errc::no_codec, "the states of this program have no bytes");
    } else {
      if (!group_.is_frozen())
        return fail(errc::state, "the group goes on; only a frozen rank shows "
                                 "its states");
      wire::KeptStates all;
      status went;
      core_.for_each_frozen([&](request_id id, std::uint64_t commits,
                                const typename P::state_type& state) {
        auto bytes =
          guarded(errc::state, "encode", [&] { return state.encode(); });
        if (!bytes) {
          went = fail(std::move(bytes.error()));
          return;
        }
        auto* added = all.add_states();
        *added->mutable_request() = to_wire(id);
        added->set_commits(commits);
        added->set_state(std::move(*bytes));
      });
      if (!went)
        return fail(std::move(went.error()));
      return all;
    }
  }

  status adopt(const wire::KeptStates& message) {
    if constexpr (!restorable_state<typename P::state_type>) {
      return fail(errc::no_codec, "the states of this program have no bytes");
    } else {
      for (const auto& one : message.states()) {
        auto id = from_wire(one.request(), "KeptState.request");
        if (!id)
          return fail(id.error());
        auto state = guarded(errc::state, "decode", [&] {
          return P::state_type::decode(one.state());
        });
        if (!state)
          return fail(std::move(state.error()));
        if (auto took = core_.adopt(*id, one.commits(), std::move(*state));
            !took)
          return took;
      }
      return {};
    }
  }

  [[nodiscard]] instant time() const { return now(self_->clock()); }

  rank_actor::pointer self_;
  rank_options options_;
  P program_;
  core_type core_;
  group_type group_;
  rank_flights flights_;
  rank_peers peers_;
  ended_works ended_works_;
  std::vector<order> orders_;                        ///< For the next turn.
  std::vector<owed_answer<wire::CommandDone>> owed_; ///< Of this turn.
  std::vector<typename outcome::command_row> rows_;  ///< Of this turn.
  std::optional<owed_answer<wire::Formed>> forming_;
  std::optional<instant> rings_at_;
  std::uint64_t alarm_ = 0;
  bool is_asked_ = false;   ///< A rank wants a turn of this leader.
  bool is_wanting_ = false; ///< This rank has asked the leader for one.
  bool is_turn_coming_ = false;
};

/// Spawns a rank for `program`, or says what is wrong with its options.
/// `Parent` is an actor system, an actor's own pointer or a scoped actor. Each
/// rank has to be told of all others (`join_atom`).
template <lockstep_program P, class Parent>
result<rank_actor> spawn_rank(Parent&& parent, const rank_options& options,
                              P program = {}) {
  if (auto valid = validate(options.settings.limits); !valid)
    return fail(valid.error());
  if (options.group.rank >= options.group.ranks)
    return fail(errc::invalid_argument,
                "there is no rank " + std::to_string(options.group.rank)
                  + " in a group of " + std::to_string(options.group.ranks));
  return rank_actor{spawn<rank_state<P>>(parent, options, std::move(program))};
}

} // namespace turnstile
