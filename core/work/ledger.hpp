#pragma once

#include "core/base/time.hpp"
#include "core/work/lifecycle.hpp"
#include "core/work/report.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace turnstile {

/// Where a work stands that was accepted and has not ended.
enum class work_place : std::uint8_t {
  queued,              ///< In its request's queue.
  delayed,             ///< Requeued, not yet due; blocks no sibling.
  prepared,            ///< Branched, waiting for a slot.
  in_flight,           ///< Holds a slot and may publish.
  abandoned_in_flight, ///< Holds a slot, cannot publish.
  failed_in_flight,    ///< Holds a slot until it has ended on every rank.
  parked,              ///< Submitted and may publish, its slot given back.
  resuming,            ///< Parked, and queued to get a slot again.
  regaining,           ///< Parked, and next to get a slot again.
  abandoned_parked,    ///< Parked and cannot publish; its backend has it.
  completing,          ///< Done, and waits for an earlier sibling's commit.
  held,                ///< Ended in memory, not yet durable: told to nobody.
};
constexpr std::size_t work_places = 12;

/// How an accepted work ended. Each ended work is in exactly one bucket.
enum class work_end : std::uint8_t {
  committed, ///< Published.
  failed,    ///< By a cause of its own.
  discarded, ///< Never ran: its request ended, or it expired in the queue.
  released,  ///< Ran, but could not publish any more.
  reclaimed, ///< Its backend never ended it; its slot was taken back.
};
constexpr std::size_t work_ends = 5;

/// Returns the lifecycle that callers see for a work at `place`.
work_lifecycle lifecycle_of(work_place place) noexcept;

/// Whether a work at `place` holds one of the global slots.
bool holds_slot(work_place place) noexcept;

/// Whether a work at `place` is retained for its backend only: it can no
/// longer publish, but still has not ended.
bool is_retained(work_place place) noexcept;

/// Whether a work at `place` was abandoned: what its backend retains for it
/// counts as retained by abandoned work.
bool is_abandoned(work_place place) noexcept;

/// Whether a backend has the work and it may still publish.
bool is_running(work_place place) noexcept;

/// Whether a backend has the work.
bool is_at_backend(work_place place) noexcept;

/// The only owner of every count.
///
/// Invariant (decision T10): `accepted = in progress + sum(ended)` after every
/// step, where in progress is the sum over all places.
///
/// How the seed's fields follow (`q` place, `E` bucket, `n` own counter):
///
/// | field | is |
/// |---|---|
/// | queued_work, prepared_work | q queued, q prepared |
/// | submitted_in_flight_work | q in_flight |
/// | completing_work | q completing, held |
/// | abandoned_, failed_in_flight_work | q of that name |
/// | current_in_flight_work | sum of the places that hold a slot |
/// | submitted_work | n accepted |
/// | completed_work | E committed |
/// | failed_work | E failed; a work whose discard fails is in here and nowhere
/// else, siblings that end with a failed request are not |
/// | discarded_work | E discarded, also by poison; not what had run and was
/// queued again, which is released |
/// | abandoned_released_work | E released, also siblings that a failure
/// abandoned and works whose late completion was a failure |
/// | cancellation_before_submission | n works that a cancel or a deadline found
/// queued, delayed or prepared |
/// | cancellation_after_submission | n works that one found submitted |
/// | finished_, cancelled_, deadline_expired_, failed_requests | n requests by
/// the status they really ended with |
class ledger {
public:
  void accept(std::uint64_t works);
  void move(work_place from, work_place to);
  void end(work_place from, work_end how);

  void begin_request();
  /// Counts an active request as ended with `status`.
  void end_request(request_status status);
  void remember_ended() noexcept { ++remembered_ended_; }
  void forget_ended() noexcept { --remembered_ended_; }
  void drop_ended() noexcept { ++dropped_requests_; }
  /// Counts an active request out without an end: it was released.
  void release_request();

  void cancel_before_submission() noexcept { ++cancelled_before_; }
  void cancel_after_submission() noexcept { ++cancelled_after_; }
  void late_completion() noexcept { ++late_completions_; }
  void stale_completion() noexcept { ++stale_completions_; }
  void requeue() noexcept { ++requeues_; }
  void drain_cycle() noexcept { ++drain_cycles_; }

  /// Changes what abandoned works retain, and the peak with it.
  void retain_resources(std::uint64_t before, std::uint64_t now);

  /// Remembers how long an abandoned work took to be released.
  void released_after(duration latency);

  [[nodiscard]] std::uint64_t at(work_place place) const noexcept;
  [[nodiscard]] std::uint64_t ended(work_end how) const noexcept;
  [[nodiscard]] std::uint64_t slots_in_use() const noexcept { return slots_; }
  [[nodiscard]] std::uint64_t active_requests() const noexcept {
    return active_requests_;
  }
  [[nodiscard]] std::uint64_t ended_requests() const noexcept {
    return remembered_ended_;
  }

  /// Accepted works that have not ended.
  [[nodiscard]] std::uint64_t in_progress() const noexcept {
    return in_progress_;
  }

  /// Everything but the configured bounds and poison, in O(1).
  [[nodiscard]] scheduler_report report() const;

  /// Checks the invariant. For tests and audit builds.
  void audit() const;

private:
  std::array<std::uint64_t, work_places> at_{};
  std::array<std::uint64_t, work_ends> ended_{};
  std::uint64_t accepted_ = 0;
  std::uint64_t in_progress_ = 0;
  std::uint64_t slots_ = 0;
  std::uint64_t peak_slots_ = 0;
  std::uint64_t peak_in_progress_ = 0;
  std::uint64_t cancelled_before_ = 0;
  std::uint64_t cancelled_after_ = 0;
  std::uint64_t late_completions_ = 0;
  std::uint64_t stale_completions_ = 0;
  std::uint64_t requeues_ = 0;
  std::uint64_t drain_cycles_ = 0;
  std::uint64_t retained_resources_ = 0;
  std::uint64_t peak_retained_resources_ = 0;
  std::optional<std::uint64_t> last_release_ns_;
  std::optional<std::uint64_t> max_release_ns_;
  std::uint64_t active_requests_ = 0;
  std::uint64_t remembered_ended_ = 0;
  std::uint64_t dropped_requests_ = 0;
  std::uint64_t finished_requests_ = 0;
  std::uint64_t cancelled_requests_ = 0;
  std::uint64_t expired_requests_ = 0;
  std::uint64_t failed_requests_ = 0;
};

} // namespace turnstile
