#pragma once

#include "core/consensus/agreement.hpp"
#include "core/consensus/group_terms.hpp"
#include "core/turn/rank_steps.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// The turns that a scheduler holds in step with other ranks: they stop where
/// the group has to answer, and go on when it has. While one waits, no other
/// verb may change anything.
///
/// ```
/// run_distributed_turn ── observation? ── settle, prepare ── schedule? ──
/// submit
///                             |                                 `─ nothing to
///                             agree on: done
/// reform ── formation? ── revive          any round that fails ── poison
/// ```
template <program P>
class group_turns : protected rank_steps<P> {
public:
  using typename rank_steps<P>::work_type;
  using typename rank_steps<P>::state_type;
  using typename rank_steps<P>::branch_type;
  using typename rank_steps<P>::output_type;
  using outcome = turn_outcome<P>;
  using command = group_command<P>;

  /// Runs one bounded turn in step with all ranks of `group`, which must
  /// outlive it. First all agree on what expired, what completed and who can
  /// carry out `commands`, which come in the order of the group's leader; then
  /// on what was committed and is submitted. So it asks the group twice, or
  /// once if there is nothing to submit (decision R3). If the group answers
  /// later, the outcome says in `waiting` what for, and `resume_turn` goes on.
  /// Disagreement poisons. Refused with `invalid_argument` under another epoch
  /// than the group's.
  template <executor<P> Execute>
  result<outcome>
  run_distributed_turn(const group_terms& terms, rank_group& group,
                       std::vector<command> commands, Execute&& execute) {
    auto begun = begin_turn(terms, group);
    if (!begun)
      return fail(begun.error());
    auto turn = std::move(*begun);
    auto out = fresh();
    turn.commands = std::move(commands);
    for (auto& one : turn.commands)
      one.check();
    turn.due = this->take_expired(turn.terms.clock);
    this->look();
    if (!terms.seed_rules)
      this->apply_outcomes();
    turn.phase = turn_phase::agree_observation;
    turn.local = this->observation_frame(turn.due, turn.commands, turn.works);
    const auto now = turn.terms.clock;
    return ask(std::move(turn), std::move(out), now, execute);
  }

  /// As the seed: under the first epoch, and by this rank's own clock.
  template <executor<P> Execute>
  result<outcome> run_distributed_turn(std::uint64_t protocol,
                                       rank_group& group, instant now,
                                       Execute&& execute) {
    return run_distributed_turn(group_terms{protocol, 0, now, true}, group, {},
                                execute);
  }

  /// Reaches agreement of all ranks before it cancels a request, in a round of
  /// its own; a command needs none. Disagreement poisons.
  result<outcome> cancel_distributed(const group_terms& terms, request_id id,
                                     rank_group& group) {
    auto begun = begin_turn(terms, group);
    if (!begun)
      return fail(begun.error());
    auto turn = std::move(*begun);
    turn.phase = turn_phase::agree_disposition;
    turn.cancelled = id;
    turn.local.kind = frame_kind::disposition;
    turn.local.words = {
      id.value, static_cast<std::uint64_t>(cancellation_cause::explicit_call)};
    const auto now = turn.terms.clock;
    return ask(std::move(turn), fresh(), now, no_executor);
  }

  /// As the seed: under the first epoch, and by this rank's own clock.
  result<outcome> cancel_distributed(std::uint64_t protocol, request_id id,
                                     rank_group& group, instant now) {
    return cancel_distributed(group_terms{protocol, 0, now, true}, id, group);
  }

  /// Goes on with the turn that waits for other ranks: with all their frames
  /// in the order of ranks, or with why they never came. That poisons: with
  /// `rank_lost`, if that is what the failure says, else with `consensus`. A
  /// formation that fails leaves everything as it is.
  /// @param now used if the turn goes by the rules of the seed
  template <executor<P> Execute>
  result<outcome> resume_turn(result<std::vector<frame>> frames, instant now,
                              Execute&& execute) {
    if (!waiting_)
      return fail(errc::invalid_argument, "no turn waits for other ranks");
    auto turn = std::move(*waiting_);
    waiting_.reset();
    if (!turn.terms.seed_rules)
      now = turn.terms.clock;
    return go_on(std::move(turn), std::move(frames), fresh(), now, execute);
  }

  /// The last word of a poisoned rank, for peers that wait for its next frame:
  /// they stop at once and say why (decision R6). @pre it is poisoned
  [[nodiscard]] frame farewell(const group_terms& terms,
                               std::size_t rank) const {
    frame f;
    f.kind = frame_kind::poisoned;
    f.protocol = terms.protocol;
    f.epoch = terms.epoch;
    f.round = rounds_ + 1;
    f.rank = rank;
    f.clock = terms.clock;
    put(f, 0, *latch_.reason());
    f.words.clear();
    return f;
  }

  // --- another epoch

  /// Forms the group anew under a higher epoch, after it was poisoned or has
  /// lost a rank. All ranks have to bring the same requests, each in a state
  /// of as many commits; a new rank gets them by `adopt` before. Each request
  /// goes on in a new life (`revived`). Works that were queued have been told
  /// as failed and can be enqueued again. Works that backends had are reclaimed
  /// if they still hold them: whoever wants their slots to be truly free waits
  /// for `poll_completions` to drain them. Requests that had ended before are
  /// forgotten. If the ranks differ, the failure names the rank and the field,
  /// nothing is changed, and the next try needs a higher epoch.
  ///
  /// Refused with `state` if it is not poisoned or an end is not durable yet,
  /// `invalid_argument` if the epoch is not higher, `capacity` if there are
  /// more requests than may be active.
  result<outcome> reform(const group_terms& terms, rank_group& group) {
    if (auto may = may_reform(terms); !may)
      return fail(may.error());
    auto turn = pending(terms, group);
    epoch_ = terms.epoch;
    rounds_ = 0;
    turn.phase = turn_phase::agree_formation;
    turn.local = this->formation_frame();
    const auto now = turn.terms.clock;
    return ask(std::move(turn), fresh(), now, no_executor);
  }

  /// Takes a request over from a rank that kept it, in the state and with the
  /// number of commits that it had there; on a new rank, which waits for its
  /// formation from then on, or on one that has an older state of it. Refused
  /// with `state` if this rank runs requests of its own.
  status adopt(request_id id, std::uint64_t commits, state_type&& state) {
    if (!latch_.is_set() && book_.counts().active_requests() > 0)
      return fail(errc::state, "only a rank that waits to be formed can adopt "
                               "request "
                                 + to_string(id));
    latch_.set("it waits for its group to be formed");
    auto slot = book_.requests().owner_of(id);
    if (!slot || !book_[*slot].frozen || !book_[*slot].keeps_state) {
      if (auto may = book_.may_begin(id); !may)
        return may;
      slot = this->begin_request(id, std::move(state));
      book_.end_request(*slot, request_status::failed, false);
      book_.edit(*slot).frozen = true;
    } else {
      values_.put_state(*slot, std::move(state));
    }
    book_.edit(*slot).commits = commits;
    return {};
  }

  /// Shows every request that a formation would bring, by identity: its state
  /// and how many commits that is made of.
  template <std::invocable<request_id, std::uint64_t, const state_type&> Visit>
  void for_each_frozen(Visit&& visit) const {
    for (auto slot : this->frozen_requests())
      visit(book_[slot].id, book_[slot].commits, values_.state(slot));
  }

  /// The number of the next round that this rank will hold in its epoch.
  [[nodiscard]] std::uint64_t next_round() const noexcept {
    return rounds_ + 1;
  }

  /// The epoch of the newest turn or formation, tried or held.
  [[nodiscard]] std::optional<std::uint64_t> epoch() const noexcept {
    return epoch_;
  }

  /// When a turn of the group would have something to do by what all ranks
  /// know: `now` itself if at once, nothing if only completions or commands
  /// can bring it on.
  [[nodiscard]] std::optional<instant> next_turn(instant now) const {
    if (waiting_ || latch_.is_set())
      return std::nullopt;
    return book_.can_go_on() ? now : book_.next_instant();
  }

  /// What the turn under way waits for.
  [[nodiscard]] turn_phase phase() const noexcept {
    return waiting_ ? waiting_->phase : turn_phase::idle;
  }

  /// When the next turn would have something to do, or `poll_completions` of a
  /// poisoned scheduler: `now` itself if at once, nothing while one waits for
  /// other ranks.
  [[nodiscard]] std::optional<instant> next_wake(instant now) const {
    if (waiting_)
      return std::nullopt;
    if (this->has_observed() || (!latch_.is_set() && book_.can_go_on()))
      return now;
    return book_.next_instant();
  }

protected:
  using rank_steps<P>::book_;
  using rank_steps<P>::values_;
  using turns<P>::latch_;

  explicit group_turns(const scheduler_settings& settings)
    : rank_steps<P>(settings) {}

  [[nodiscard]] status may_change() const {
    if (auto open = latch_.check(); !open)
      return open;
    if (waiting_)
      return fail(errc::turn_in_progress,
                  "a turn waits for the other ranks in round "
                    + std::to_string(waiting_->local.round));
    return {};
  }

  outcome fresh() {
    book_.begin_verb();
    return std::exchange(spare_, outcome{});
  }

  outcome whole(outcome out, instant now) {
    this->trim();
    out.next_wake = next_wake(now);
    return out;
  }

  /// Takes the lists of an outcome back, for the next one.
  void keep(outcome&& used) {
    spare_ = std::move(used);
    spare_.clear();
  }

  void stop_waiting() noexcept { waiting_.reset(); }

private:
  /// A turn that waits for other ranks, or is about to ask them.
  struct pending_turn {
    turn_phase phase = turn_phase::idle;
    group_terms terms;
    rank_group* group = nullptr;
    frame local;
    std::vector<work_id> due;
    std::vector<work_id> works; ///< Those that the frame is about.
    std::vector<command> commands;
    request_id cancelled;
  };

  static result<output_type> no_executor(const submission&, const work_type&,
                                         branch_type&) {
    return fail(errc::submission, "this verb submits nothing");
  }

  [[nodiscard]] status may_reform(const group_terms& terms) const {
    if (waiting_)
      return may_change();
    if (!latch_.is_set())
      return fail(errc::state, "the scheduler goes on; only one that is "
                               "poisoned can be re-formed");
    if (epoch_ && terms.epoch <= *epoch_)
      return fail(errc::invalid_argument,
                  "epoch " + std::to_string(terms.epoch)
                    + " is not higher than the last one, "
                    + std::to_string(*epoch_));
    if (book_.settings().hold_until_durable && book_.works().size() > 0)
      return fail(errc::state, "ends are not durable or works not drained yet");
    const auto requests = this->frozen_requests().size();
    const auto bound = book_.settings().limits.max_active_requests;
    if (requests > bound)
      return fail(errc::capacity, "max_active_requests " + std::to_string(bound)
                                    + " permits no formation with "
                                    + std::to_string(requests));
    return {};
  }

  pending_turn pending(const group_terms& terms, rank_group& group) {
    pending_turn turn;
    turn.terms = terms;
    turn.group = &group;
    if (!terms.seed_rules)
      turn.terms.clock = clock_ = std::max(clock_, terms.clock);
    return turn;
  }

  result<pending_turn> begin_turn(const group_terms& terms, rank_group& group) {
    if (auto may = may_change(); !may)
      return fail(may.error());
    if (epoch_.value_or(terms.epoch) != terms.epoch)
      return fail(errc::invalid_argument, "the group was formed under epoch "
                                            + std::to_string(*epoch_)
                                            + "; re-form it to go on under "
                                            + std::to_string(terms.epoch));
    epoch_ = terms.epoch;
    return pending(terms, group);
  }

  /// Puts the turn's question to the other ranks.
  template <class Execute>
  result<outcome> ask(pending_turn turn, outcome out, instant now,
                      Execute& execute) {
    const auto ranks = turn.group->ranks();
    auto& local = turn.local;
    local.protocol = turn.terms.protocol;
    local.epoch = turn.terms.epoch;
    local.round = ++rounds_;
    local.rank = ranks > 1 ? turn.group->rank() : 0;
    if (!turn.terms.seed_rules)
      local.clock = turn.terms.clock;
    local.length = local.words.size();
    if (ranks == 0)
      return go_on(std::move(turn),
                   fail(errc::consensus, "the group has no ranks"),
                   std::move(out), now, execute);
    if (ranks == 1) {
      std::vector<frame> alone{local};
      return go_on(std::move(turn), std::move(alone), std::move(out), now,
                   execute);
    }
    auto answer = guarded(errc::consensus, "gather",
                          [&] { return turn.group->gather(local); });
    if (!answer)
      return go_on(std::move(turn), fail(answer.error()), std::move(out), now,
                   execute);
    if (*answer)
      return go_on(std::move(turn), std::move(**answer), std::move(out), now,
                   execute);
    out.waiting = turn.phase;
    waiting_.emplace(std::move(turn));
    return whole(std::move(out), now);
  }

  /// Goes on once the ranks have answered, or will not.
  template <class Execute>
  result<outcome> go_on(pending_turn turn, result<std::vector<frame>> frames,
                        outcome out, instant now, Execute& execute) {
    if (frames && frames->size() != turn.group->ranks())
      frames = fail(errc::consensus, std::to_string(frames->size()) + " of "
                                       + std::to_string(turn.group->ranks())
                                       + " ranks answered in round "
                                       + std::to_string(turn.local.round));
    if (!frames)
      return stop(turn, std::move(frames.error()), std::move(out), now);
    switch (turn.phase) {
    case turn_phase::agree_observation:
      return go_on_observed(std::move(turn), *frames, std::move(out), now,
                            execute);
    case turn_phase::agree_schedule:
      return go_on_scheduled(turn, *frames, std::move(out), now, execute);
    case turn_phase::agree_disposition:
      return go_on_disposed(turn, *frames, std::move(out), now);
    default:
      return go_on_formed(turn, *frames, std::move(out), now);
    }
  }

  /// The ranks cannot go on together.
  result<outcome> stop(const pending_turn& turn, failure why, outcome out,
                       instant now) {
    if (why.code != errc::rank_lost)
      why.code = errc::consensus;
    if (turn.phase == turn_phase::agree_formation) {
      latch_.add("epoch " + std::to_string(turn.terms.epoch)
                 + " was not formed: " + why.detail);
      return fail(std::move(why));
    }
    turns<P>::poison(std::move(why), now, out);
    return whole(std::move(out), now);
  }

  template <class Execute>
  result<outcome> go_on_observed(pending_turn turn,
                                 const std::vector<frame>& frames, outcome out,
                                 instant now, Execute& execute) {
    auto agreed = agree_observation(turn.local, frames);
    if (!agreed)
      return stop(turn, std::move(agreed.error()), std::move(out), now);
    const auto lean = !turn.terms.seed_rules;
    this->commits_wait_ = lean;
    for (std::size_t i = 0; i < turn.commands.size(); ++i)
      this->obey(i, std::move(turn.commands[i]), agreed->commands[i], now, out);
    turns<P>::expire(turn.due, now, out);
    this->settle_agreed(turn.works, agreed->works, now, out);
    this->prune_observed();
    this->wake_due(now, out); // what is done is neither overdue nor hung
    this->prepare(book_.wanted(), lean, now, out);
    this->commits_wait_ = false;
    turn.works.clear();
    turn.local = this->schedule_frame(
      lean ? book_.prepared().size() : book_.room(), out, turn.works);
    if (lean && turn.works.empty() && this->tried_.empty()
        && out.commands.empty())
      return whole(std::move(out), now); // on every rank
    turn.phase = turn_phase::agree_schedule;
    return ask(std::move(turn), std::move(out), now, execute);
  }

  template <class Execute>
  result<outcome> go_on_scheduled(const pending_turn& turn,
                                  const std::vector<frame>& frames, outcome out,
                                  instant now, Execute& execute) {
    auto agreed = agree_schedule(turn.local, frames);
    if (!agreed)
      return stop(turn, std::move(agreed.error()), std::move(out), now);
    this->settle_commits(agreed->commits, now, out);
    this->settle_plan(turn.works, agreed->works, now, out);
    this->submit(now, execute, turn.group->ranks() > 1, out);
    return whole(std::move(out), now);
  }

  result<outcome> go_on_disposed(const pending_turn& turn,
                                 const std::vector<frame>& frames, outcome out,
                                 instant now) {
    if (auto same = agree(turn.local, frames); !same)
      return stop(turn, std::move(same.error()), std::move(out), now);
    if (auto done = this->cancel_request(turn.cancelled, now, out); !done)
      return fail(std::move(done.error()));
    return whole(std::move(out), now);
  }

  result<outcome> go_on_formed(const pending_turn& turn,
                               const std::vector<frame>& frames, outcome out,
                               instant now) {
    auto life = agree_formation(turn.local, frames);
    if (!life)
      return stop(turn, std::move(life.error()), std::move(out), now);
    this->revive(*life, now, out);
    latch_.clear();
    return whole(std::move(out), now);
  }

  outcome spare_;
  std::optional<pending_turn> waiting_;
  std::optional<std::uint64_t> epoch_; ///< Nothing: no turn of ranks so far.
  std::uint64_t rounds_ = 0;           ///< That were asked for in this epoch.
  instant clock_;                      ///< The group's, which never goes back.
};

} // namespace turnstile
