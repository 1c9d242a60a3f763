#pragma once

#include "core/consensus/gathering.hpp"
#include "core/consensus/group_clock.hpp"
#include "core/consensus/turn_opening.hpp"
#include "core/turn/scheduler.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// What a rank has to know of its group.
struct lockstep_settings {
  std::size_t ranks = 1;
  std::size_t rank = 0; ///< The lowest one, 0, leads.
  std::uint64_t protocol = 0;
  std::uint64_t epoch = 1; ///< The first one; see `lockstep_rank::form`.

  /// How long a round waits for the others, by this rank's own clock, before
  /// it ends as `rank_lost`.
  duration round_timeout = std::chrono::seconds{5};
};

/// One rank of a group in lockstep, without I/O: it holds the turns that the
/// leader opens, sends this rank's frames and takes the others', in whatever
/// order they come. Its host brings messages and time, and executes.
///
/// ```
///  leader:  begin ─ turn_opening, commands ─> every rank, itself too: open
///  rank:    open ── send(frame) ─> all    arrive(frame) <── all
///             `── ... the turn goes on as soon as all frames are here ...
///             did(outcome)
///  nobody answers: tick ── rank_lost      a rank stops: its last word ends all
/// ```
///
/// After a failure the group is frozen: states stay, nothing moves but the
/// draining of what backends have, until all ranks are told to form a new
/// epoch. Not thread-safe: one actor owns it.
template <program P>
class lockstep_rank final : private rank_group {
public:
  using core = scheduler<P>;
  using outcome = turn_outcome<P>;
  using command = group_command<P>;
  using execute_function = std::function<result<typename P::output_type>(
    const submission&, const typename P::work_type&,
    typename P::state_type::branch_type&)>;

  /// Who carries out what the rank says.
  class host {
  public:
    host() = default;
    host(const host&) = delete;
    host& operator=(const host&) = delete;
    virtual ~host() = default;

    /// To all ranks, and to this one the same way: it has to `arrive`.
    virtual void send(const frame& word) = 0;

    /// What a turn did, or a part of one. It may ask the rank for what it
    /// likes, but not call a verb that changes it.
    virtual void did(outcome&& out) = 0;

    /// A formation failed: the group stays frozen.
    virtual void did_not_form(const failure& why) = 0;
  };

  /// `scheduler` and `host` must outlive it.
  lockstep_rank(core& scheduler, host& host, const lockstep_settings& settings,
                execute_function execute)
    : core_(&scheduler), host_(&host), settings_(settings),
      execute_(std::move(execute)), gathering_(settings.ranks, settings.rank),
      epoch_(settings.epoch) {}

  [[nodiscard]] bool is_leader() const noexcept { return settings_.rank == 0; }

  /// Whether it takes part in no turn now and could in one.
  [[nodiscard]] bool is_idle() const {
    return core_->phase() == turn_phase::idle && !is_frozen();
  }

  [[nodiscard]] bool is_frozen() const {
    return core_->poison_reason().has_value();
  }

  [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }
  [[nodiscard]] const group_clock& clock() const noexcept { return clock_; }

  /// Says that something completed here that the others do not know of.
  void note_news() noexcept { has_news_ = true; }

  /// Whether the leader should be asked for a turn.
  [[nodiscard]] bool has_news() const noexcept { return has_news_; }

  /// When the leader should open a turn by what it knows itself, on the
  /// group's clock: at once if that is not after now.
  [[nodiscard]] std::optional<instant> next_turn(instant local) const {
    const auto now = clock_.estimate(local);
    return has_news_ && is_idle() ? std::optional{now} : core_->next_turn(now);
  }

  // --- the leader's

  /// Opens the next turn. The opening, with the commands of the turn, goes to
  /// all ranks; this one is to `open` it, too. @pre it leads and is idle
  turn_opening begin(instant local) {
    return {terms(clock_.advance(local)), core_->next_round(), false};
  }

  /// Opens the formation of a higher epoch. @pre it is frozen
  turn_opening begin_formation(std::uint64_t epoch, instant local) {
    auto opened = terms(clock_.advance(local));
    opened.epoch = epoch;
    return {opened, 1, true};
  }

  // --- every rank's

  /// Takes part in a turn, now or once the one before is over. What has been
  /// opened before is not opened again.
  void open(const turn_opening& what, std::vector<command> commands,
            instant local) {
    if (what.forms) {
      if (what.terms.epoch > epoch_)
        form(what, local);
      return;
    }
    const std::pair place{what.terms.epoch, what.round};
    if (place <= opened_ || waiting_.size() >= max_waiting)
      return;
    opened_ = place;
    waiting_.emplace_back(what, std::move(commands));
    go_on(local);
  }

  /// Takes a frame. Returns what became of it. @param from the rank that has
  /// sent it, whatever it says
  gathering::arrival arrive(std::size_t from, frame theirs, instant local) {
    const auto became = gathering_.arrive(from, std::move(theirs));
    if (became == gathering::arrival::farewell && !is_frozen())
      freeze(*gathering_.stopped(), local);
    else if (gathering_.is_whole())
      resume(gathering_.take(), local);
    return became;
  }

  /// Ends the round if it has waited for too long.
  void tick(instant local) {
    if (auto due = deadline(); due && *due <= local)
      freeze(gathering_.lost(settings_.round_timeout), local);
  }

  /// When to `tick`, by this rank's own clock; nothing: no round waits.
  [[nodiscard]] std::optional<instant> deadline() const {
    if (!gathering_.is_open())
      return std::nullopt;
    return later(asked_at_, settings_.round_timeout);
  }

  /// Ends whatever goes on: a rank is known to be gone, or the host cannot go
  /// on itself. The other ranks are told.
  void freeze(failure why, instant local) {
    if (core_->phase() == turn_phase::idle) {
      if (!is_frozen())
        tell(core_->poison(std::move(why), clock_.last()));
      return;
    }
    gathering_.give_up();
    resume(fail(std::move(why)), local);
  }

private:
  static constexpr std::size_t max_waiting = 4;

  [[nodiscard]] std::size_t ranks() const override { return settings_.ranks; }
  [[nodiscard]] std::size_t rank() const override { return settings_.rank; }

  result<std::optional<std::vector<frame>>>
  gather(const frame& local) override {
    gathering_.open(local);
    asked_at_ = now_;
    host_->send(local);
    if (gathering_.stopped())
      return fail(*gathering_.stopped());
    if (gathering_.is_whole())
      return gathering_.take();
    return std::nullopt;
  }

  [[nodiscard]] group_terms terms(instant clock) const {
    return {settings_.protocol, epoch_, clock, false};
  }

  void form(const turn_opening& what, instant local) {
    now_ = local;
    clock_.told(what.terms.clock, local);
    waiting_.clear();
    gathering_.give_up();
    if (!is_frozen()) // its group has ended, and it has not heard of that
      host_->did(core_->poison(
        failure{errc::consensus, "its group is formed anew under epoch "
                                   + std::to_string(what.terms.epoch)},
        clock_.last()));
    const auto before = std::exchange(epoch_, what.terms.epoch);
    auto out = core_->reform(what.terms, *this);
    if (out) {
      opened_ = {epoch_, 1};
      tell(std::move(*out));
    } else if (core_->epoch() == what.terms.epoch) {
      failed_to_form(out.error());
    } else { // refused before it asked anybody
      epoch_ = before;
      host_->did_not_form(out.error());
    }
  }

  /// The others may have formed: they are not to wait for this rank.
  void failed_to_form(const failure& why) {
    gathering_.give_up();
    say_farewell();
    host_->did_not_form(why);
  }

  void go_on(instant local) {
    now_ = local;
    while (is_idle() && !waiting_.empty()) {
      auto [what, commands] = std::move(waiting_.front());
      waiting_.pop_front();
      if (what.terms.epoch != epoch_)
        continue; // of a group that is no more
      clock_.told(what.terms.clock, local);
      has_news_ = false;
      auto out = core_->run_distributed_turn(what.terms, *this,
                                             std::move(commands), execute_);
      if (out)
        tell(std::move(*out));
    }
  }

  void resume(result<std::vector<frame>> frames, instant local) {
    now_ = local;
    const auto forms = core_->phase() == turn_phase::agree_formation;
    auto out = core_->resume_turn(std::move(frames), clock_.last(), execute_);
    if (out)
      tell(std::move(*out));
    else if (forms)
      failed_to_form(out.error());
    go_on(local);
  }

  /// Hands an outcome on; if it is the last one, the others hear why.
  void tell(outcome&& out) {
    if (out.poisoned) {
      gathering_.give_up();
      waiting_.clear();
      say_farewell();
    }
    host_->did(std::move(out));
  }

  void say_farewell() {
    host_->send(core_->farewell(terms(clock_.last()), settings_.rank));
  }

  core* core_;
  host* host_;
  lockstep_settings settings_;
  execute_function execute_;
  gathering gathering_;
  group_clock clock_;
  std::uint64_t epoch_;
  std::pair<std::uint64_t, std::uint64_t> opened_{0, 0};
  std::deque<std::pair<turn_opening, std::vector<command>>> waiting_;
  instant now_;      ///< This rank's clock when it was last told of something.
  instant asked_at_; ///< The same when it asked for the open round.
  bool has_news_ = false;
};

} // namespace turnstile
