#pragma once

#include "core/base/result.hpp"
#include "messages/event.pb.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace turnstile {

/// How much of a run's past is kept whole.
struct event_stream_bounds {
  std::size_t max_events = 4096;
  std::size_t max_bytes = 8 * 1024 * 1024; ///< Of all of them, serialised.
};

/// The events of one run, numbered from 1 without holes, in bounded memory.
///
/// The newest events stand whole in a ring. Of those that had to leave it, the
/// terminal ones (`agent_done`, `run_done`) are kept for good, but without
/// output, findings and prompt; the others are gone, and read as gaps.
///
/// Appending is O(1) amortised, finding a place to read from O(log n).
///
/// Invariants:
/// (1) The ring holds every number from `next() - ring_.size()` on, in order.
/// (2) It is within the bounds, and `bytes_` is the sum of its events' sizes.
/// (3) `terminal_` is in the order of numbers, all smaller than the ring's.
/// (4) If the stream has ended, its last event is the only `run_done`.
class event_stream {
public:
  /// What `EventsQuery.max` means by 0, and the most that it can mean.
  static constexpr std::uint32_t default_batch = 256;
  static constexpr std::uint32_t max_batch = 4096;

  /// @param first the number of the first event that it will have
  explicit event_stream(std::string run_id, event_stream_bounds bounds = {},
                        std::uint64_t first = 1);

  /// Refuses what no stream takes: an event that says nothing, or a gap, which
  /// is a stream's own word.
  static status validate(const wire::Event& event);

  /// Appends an event, which gets the next number and this time, whatever it
  /// says of them. Refused with `state` after a `run_done`.
  /// @pre `validate(event)`
  status append(wire::Event event, std::int64_t unix_ns);

  /// Returns up to `max` events, gaps included, from the number `from` on; 0
  /// means 1. A gap covers exactly what is missing at and after `from`; its
  /// time is that of the event behind it. Refused if `from` is beyond `next()`.
  [[nodiscard]] result<wire::EventBatch> read(std::uint64_t from,
                                              std::uint32_t max) const;

  /// Events from this number on are kept whole.
  [[nodiscard]] std::uint64_t whole_from() const noexcept {
    return next_ - ring_.size();
  }

  /// The number that the next event gets.
  [[nodiscard]] std::uint64_t next() const noexcept { return next_; }

  /// Whether there was a `run_done`.
  [[nodiscard]] bool ended() const noexcept { return ended_; }

  /// How many events are kept, whole or not.
  [[nodiscard]] std::size_t size() const noexcept;

  /// The size of those that are kept whole, serialised.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

  /// Checks the invariants in O(n). For tests.
  void audit() const;

private:
  void drop_oldest();
  [[nodiscard]] wire::Event gap(std::uint64_t first, std::uint64_t last,
                                std::int64_t unix_ns) const;

  std::string run_id_;
  event_stream_bounds bounds_;
  std::deque<wire::Event> ring_;
  std::deque<wire::Event> terminal_;
  std::size_t bytes_ = 0;
  std::uint64_t next_ = 1;
  std::int64_t last_ns_ = 0; ///< The time of the newest event, kept or not.
  bool ended_ = false;
};

} // namespace turnstile
