#pragma once

#include "core/base/slab.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

/// The instants at which something is due for a work: at most one per work.
/// A binary heap that knows where each work stands in it, so that a deadline
/// can be taken back in O(log n).
///
/// Invariants:
/// (1) No entry is due before its parent; equal instants are ordered by slot.
/// (2) `position_[slot]` is the slot's place in `heap_`, or `absent`.
class deadline_index {
public:
  /// Sets or moves the instant of `slot`.
  void set(work_slot slot, instant when);

  /// Forgets `slot`. Returns whether it had an instant.
  bool clear(work_slot slot);

  /// Returns the earliest instant, or nothing.
  [[nodiscard]] std::optional<instant> next() const;

  /// Returns the instant of `slot`, or nothing.
  [[nodiscard]] std::optional<instant> find(work_slot slot) const;

  /// Takes the earliest work out if it is due at `now`.
  std::optional<work_slot> take_due(instant now);

  [[nodiscard]] bool holds(work_slot slot) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return heap_.size(); }

  /// Checks the invariants in O(n). For tests and audit builds.
  void audit() const;

private:
  static constexpr std::uint32_t absent = 0xFFFFFFFF;

  struct entry {
    instant when;
    work_slot slot;
  };

  static bool earlier(const entry& left, const entry& right) noexcept;
  void place(std::size_t at, const entry& what);
  void sift_up(std::size_t at);
  void sift_down(std::size_t at);
  void remove_at(std::size_t at);

  std::vector<entry> heap_;
  std::vector<std::uint32_t> position_;
};

} // namespace turnstile
