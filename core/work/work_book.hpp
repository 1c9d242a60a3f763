#pragma once

#include "core/base/result.hpp"
#include "core/work/deadline_index.hpp"
#include "core/work/ledger.hpp"
#include "core/work/ready_ring.hpp"
#include "core/work/request_table.hpp"
#include "core/work/settings.hpp"
#include "core/work/work_table.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

/// Everything the scheduler knows that is not a user's value: which requests
/// and works there are, where each work stands, whose turn it is and what is
/// due when. It moves works from place to place and keeps all tables in step;
/// it decides nothing about states, branches or outputs.
///
/// Invariants (beside those of its tables):
/// (1) A request's counts are those of its live works, place by place.
/// (2) A request is in the ring exactly if its queue is not empty, and blocked
///     there exactly if the head of its queue may not go ahead now.
/// (3) Only works that wait for it have an instant in `due_`.
/// (4) An ended request may be dropped exactly if it has no live work and its
///     end was told.
class work_book {
public:
  /// @pre `settings.limits` are valid
  explicit work_book(const scheduler_settings& settings);

  // --- requests

  /// Whether `id` may be registered: `duplicate_request` or `capacity`.
  [[nodiscard]] status may_begin(request_id id) const;

  /// Begins a life. @pre `may_begin(id)`
  request_slot begin(request_id id, bool parallel, bool ordered);

  /// Whether this life may be taken up again: as `may_begin`, and
  /// `duplicate_request` if one of `id` is remembered that is as new.
  [[nodiscard]] status may_restore(request_id id, std::uint64_t life) const;

  /// Takes a life up that an earlier scheduler began.
  /// @pre `may_restore(id, life)`
  request_slot restore(request_id id, std::uint64_t life, bool parallel,
                       bool ordered);

  /// Has all lives that begin from now on be this one or a later one.
  void begin_lives_at(std::uint64_t life) { requests_.begin_lives_at(life); }

  /// Says again what the request's state permits.
  void permit(request_slot slot, bool parallel, bool ordered);

  /// Begins a verb that tells something, or a registration. What the one before
  /// told of ended requests may be dropped from now on, but not what this one
  /// tells: its caller is to look at it first (decision T5).
  void begin_verb() noexcept { ++verb_; }

  /// Says that the verb which was begun last has told and changed nothing.
  void take_verb_back() noexcept { --verb_; }

  /// Ends an active request, whose last state is kept for whoever takes it.
  /// Its live works are the caller's to settle. A `held` end is not to be seen
  /// before `end_told`.
  void end_request(request_slot slot, request_status how, bool held);
  void end_told(request_slot slot);

  /// Frees the identity of an active request that has no live work.
  void release(request_slot slot);

  /// Frees the identity of an ended request that has no live work.
  void forget(request_slot slot);

  /// Says that the last state of an ended request is gone.
  void state_taken(request_slot slot);

  /// Returns an ended request whose state retention says to drop, or nothing.
  [[nodiscard]] std::optional<request_slot> oldest_surplus_state() const;

  /// Returns an ended request that retention says to drop, or nothing.
  [[nodiscard]] std::optional<request_slot> oldest_surplus_request() const;

  /// Forgets an ended request for good.
  void drop(request_slot slot);

  // --- works

  /// Whether the request may have so many works more: `capacity` with the
  /// limit, its value, whose it is and what frees it.
  [[nodiscard]] status may_accept(request_slot slot, std::uint64_t works) const;
  [[nodiscard]] status may_accept_globally(std::uint64_t works) const;

  /// Accepts the next work of the request, at the back of its queue.
  /// @pre `may_accept(owner, 1)`
  work_slot accept(request_slot owner, instant deadline,
                   deadline_policy policy);

  /// Counts the next work of the request as accepted and ended: it was, under
  /// an earlier scheduler.
  void restore_end(request_slot owner, work_end how, work_lifecycle lifecycle);

  /// Gives the next unblocked request its turn: takes the head of its queue to
  /// `prepared` (or `regaining`) and returns it, or nothing.
  std::optional<work_slot> take_turn();

  /// How many works the backends could take.
  [[nodiscard]] std::uint64_t free_slots() const noexcept;

  /// How many of them one turn may hand out.
  [[nodiscard]] std::uint64_t room() const noexcept;

  /// How many works a turn should prepare: as many as it may hand out, but no
  /// more than there are slots for, less what is prepared (decision T13).
  [[nodiscard]] std::uint64_t wanted() const noexcept;

  /// Whether a turn could do something now.
  [[nodiscard]] bool can_go_on() const noexcept;

  /// The longest prepared work, or none.
  [[nodiscard]] work_slot first_prepared() const noexcept {
    return prepared_.first();
  }

  /// Gives a prepared or regaining work its slot.
  void submit(work_slot slot);

  /// Takes the right to publish from a submitted work.
  void abandon(work_slot slot, instant now);

  /// As `abandon`, but because it failed on some rank and not yet on all.
  void fail_in_flight(work_slot slot);

  /// Gives back the slot of a submitted work, which keeps its branch.
  void park(work_slot slot);

  /// Queues a parked work for a slot, before its queued siblings.
  void unpark(work_slot slot);

  /// Gives back the slot of a submitted work and queues it again at the front,
  /// at once or when `not_before` is due.
  void requeue(work_slot slot, std::optional<instant> not_before);

  /// Sets a work aside whose siblings have to commit first.
  void wait_for_siblings(work_slot slot);

  /// Sets a work aside whose end is not durable yet.
  void hold(work_slot slot);

  /// Ends a work: it leaves every table.
  void end(work_slot slot, work_end how, work_lifecycle lifecycle);

  /// Says how much a submitted work's backend retains for it.
  void set_resources(work_slot slot, std::uint64_t now);

  // --- time

  /// Takes out every work whose deadline is due, by request and sequence.
  void take_expired(instant now, std::vector<work_slot>& into);

  /// Takes out every work for which something else is due: a requeued one to
  /// be queued, a retained one to be told overdue or to be reclaimed.
  void take_due(instant now, std::vector<work_slot>& into);

  /// Queues a requeued work that is due. @pre it is delayed
  void undelay(work_slot slot);

  /// Arms what comes next for a retained work.
  void watch_retained(work_slot slot);

  /// When something else than its deadline is due for a work, or nothing.
  [[nodiscard]] std::optional<instant> due_at(work_slot slot) const;

  /// When time alone will next give a turn something to do, or nothing.
  [[nodiscard]] std::optional<instant> next_instant() const;

  // --- looking

  const request_record& operator[](request_slot slot) const noexcept {
    return requests_[slot];
  }
  const work_record& operator[](work_slot slot) const noexcept {
    return works_[slot];
  }
  work_record& edit(work_slot slot) noexcept { return works_[slot]; }
  request_record& edit(request_slot slot) noexcept { return requests_[slot]; }

  [[nodiscard]] const request_table& requests() const noexcept {
    return requests_;
  }
  [[nodiscard]] const work_table& works() const noexcept { return works_; }
  [[nodiscard]] const backend_chain& at_backends() const noexcept {
    return at_backends_;
  }
  [[nodiscard]] const place_chain& prepared() const noexcept {
    return prepared_;
  }
  [[nodiscard]] const ready_ring& ring() const noexcept { return ring_; }
  ledger& counts() noexcept { return ledger_; }
  [[nodiscard]] const ledger& counts() const noexcept { return ledger_; }
  [[nodiscard]] const scheduler_settings& settings() const noexcept {
    return settings_;
  }

  /// Finds a live work.
  [[nodiscard]] std::optional<work_slot> find(const work_id& id) const;

  /// Where a work of a remembered life stands or how it ended.
  [[nodiscard]] std::optional<work_lifecycle>
  lifecycle(const work_id& id) const;

  /// The active request with this identity.
  [[nodiscard]] std::optional<request_slot> active(request_id id) const;

  /// Appends the live works of a request in the order of their sequence.
  void live_works(request_slot slot, std::vector<work_slot>& into) const;

  /// Checks every invariant in O(n). For tests and audit builds.
  void audit() const;

private:
  request_slot begin(request_slot slot, bool parallel, bool ordered);
  [[nodiscard]] bool head_is_blocked(const request_record& record) const;
  void sync_ring(request_slot slot);
  place_chain* chain_of(const work_record& record);
  void leave_place(work_slot slot);
  void move(work_slot slot, work_place to, bool to_front = false);
  void tell_end(request_slot slot);
  static bool may_be_dropped(const request_record& record);
  void may_now_be_dropped(request_slot slot);
  void audit_request(request_slot slot, const request_record& record) const;

  scheduler_settings settings_;
  request_table requests_;
  work_table works_;
  ready_ring ring_;
  place_chain prepared_;
  backend_chain at_backends_;
  deadline_index deadlines_;
  deadline_index due_;
  ended_chain ended_;
  state_chain states_;
  ledger ledger_;
  std::uint64_t submissions_ = 0;
  std::uint64_t verb_ = 1;
};

} // namespace turnstile
