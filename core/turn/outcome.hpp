#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/work/lifecycle.hpp"
#include "core/work/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

/// Why a work ended that neither was committed nor failed by its own cause.
enum class drop_reason : std::uint8_t {
  with_request = 1, ///< It waited, and its request ended (decision T3).
  expired = 2,      ///< It waited, and its own deadline passed (T6).
  released = 3,     ///< Ran, but could not publish; its backend is done.
  reclaimed = 4,    ///< Its backend never ended it in time (T12).
  cancelled = 5,    ///< It waited, and a caller cancelled this work alone.
};

/// What a turn waits for, if it could not go through at once.
enum class turn_phase : std::uint8_t {
  idle = 0,              ///< Nothing: the outcome is whole.
  agree_observation = 1, ///< What the other ranks saw.
  agree_schedule = 2,    ///< What the other ranks are about to submit.
  agree_disposition = 3, ///< That the other ranks cancel the request, too.
  agree_formation = 4,   ///< That they bring the same states into an epoch.
};

/// Everything that one verb or turn did, as a value (decision T1). One failed
/// work is a row in it, never an early return that loses the other rows.
/// Every accepted work is told exactly once: in `committed`, `failed` or
/// `dropped`. Rows stand in the order in which things happened.
template <program P>
struct turn_outcome {
  using work_type = typename P::work_type;
  using state_type = typename P::state_type;
  using output_type = typename P::output_type;
  using outcome_type = outcome_of<P>;

  struct submitted_row {
    work_id id;
    std::uint32_t submission = 1; ///< Which try of this work; from 1.
  };

  struct committed_row {
    work_id id;
    work_type work;
    std::optional<output_type> output;
    std::optional<outcome_type> outcome; ///< What its completion carried.
    bool late = false;                   ///< After its deadline.
  };

  struct failed_row {
    work_id id;
    failure why;
    work_type work;
  };

  struct dropped_row {
    work_id id;
    drop_reason reason;
    work_lifecycle lifecycle; ///< `abandoned` or `failed`.
    work_type work;
  };

  struct abandoned_row {
    work_id id; ///< Its backend should be asked to stop; it is retained.
  };

  struct requeued_row {
    work_id id; ///< Its commit conflicted: queued again on the new base.
  };

  struct overdue_row {
    work_id id; ///< Retained for longer than `overdue_after`.
    duration age;
  };

  /// The last committed state stays with the scheduler: look at it with
  /// `request_state`, take it with `release` (decision T5). It is certain to be
  /// there until the next outcome or registration.
  struct ended_row {
    request_id request;
    std::uint64_t life = 0;
    request_status status;
    std::optional<failure> why;
  };

  /// An end that must be durable before it is told (decision T21). What its
  /// pointers show is the scheduler's, and there until the next verb.
  struct fact_row {
    std::uint64_t position = 0; ///< Pass the last durable one to `durable()`.
    request_id request;
    std::uint64_t life = 0;
    std::optional<std::uint64_t> sequence; ///< Nothing: the request ended.
    work_lifecycle lifecycle = work_lifecycle::committed;
    request_status status = request_status::active;
    std::optional<drop_reason> dropped;    ///< Neither committed nor failed.
    const work_type* work = nullptr;       ///< Null: the request ended.
    const outcome_type* outcome = nullptr; ///< If its completion carried one.
    const failure* why = nullptr;          ///< If there is a cause to tell.
  };

  /// What became of one command of the round: the same on every rank.
  struct command_row {
    std::uint64_t place = 0;                 ///< In the round's list; from 0.
    std::optional<failure> refused;          ///< Why it changed nothing.
    std::vector<work_id> accepted;           ///< Of `enqueue`.
    std::optional<state_type> state;         ///< Of `release`.
    std::optional<request_status> forgotten; ///< Of `forget`: how it had ended.
  };

  /// A request that goes on in a re-formed group, with the state it had.
  struct revived_row {
    request_id request;
    std::uint64_t life = 0;    ///< The new one; its works begin with 0 again.
    std::uint64_t commits = 0; ///< How many its state is made of.
  };

  std::uint64_t prepared = 0; ///< Works that got a branch.
  std::vector<submitted_row> submitted;
  std::vector<submitted_row> resumed; ///< Parked works that have a slot again.
  std::vector<committed_row> committed;
  std::vector<failed_row> failed;
  std::vector<dropped_row> dropped;
  std::vector<abandoned_row> abandoned;
  std::vector<requeued_row> requeued;
  std::vector<overdue_row> overdue;
  std::vector<ended_row> ended;
  std::vector<fact_row> facts;
  std::vector<command_row> commands;
  std::vector<revived_row> revived;

  /// When to run the next turn, if nothing happens before; nothing: not at
  /// all. An instant that is not after `now` says: at once.
  std::optional<instant> next_wake;

  /// Set if this very verb poisoned the scheduler.
  std::optional<failure> poisoned;

  /// What the turn waits for; then `resume_turn` goes on with it.
  turn_phase waiting = turn_phase::idle;

  /// Empties every list and keeps its memory, for the next turn.
  void clear() {
    prepared = 0;
    submitted.clear();
    resumed.clear();
    committed.clear();
    failed.clear();
    dropped.clear();
    abandoned.clear();
    requeued.clear();
    overdue.clear();
    ended.clear();
    facts.clear();
    commands.clear();
    revived.clear();
    next_wake.reset();
    poisoned.reset();
    waiting = turn_phase::idle;
  }
};

} // namespace turnstile
