#pragma once

#include "core/base/slab.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace turnstile {

/// The requests that have queued work, in the order in which they are offered
/// a branch: a cycle with a cursor. The cursor stands before the request whose
/// turn it is. A new request joins just behind the cursor, so that everybody
/// else comes first. A request that is blocked (it may not cut another branch
/// now) is skipped but keeps its place, and with it its turn; so no request
/// waits for more than one branch of every other one (decision T17).
///
/// The order is kept in a treap whose nodes know whether anybody below them is
/// unblocked: every verb costs O(log n) expected, and finding the next
/// unblocked request costs O(1) when the first in line is.
///
/// Invariants:
/// (1) A request is in the ring at most once.
/// (2) `cursor_` is a member, or none if the ring is empty.
/// (3) No node's priority is greater than its parent's, and `open_below` says
///     whether it or any node below it is unblocked.
///
/// Not thread-safe: the scheduler that owns it is an actor.
class ready_ring {
public:
  /// Adds `slot` behind everybody. @pre `!holds(slot)`
  void arm(request_slot slot, bool blocked);

  /// Removes `slot` wherever it stands; if it was its turn, the next one has
  /// it. Does nothing if it is not there.
  void disarm(request_slot slot);

  /// Says whether `slot` may be offered a branch. @pre `holds(slot)`
  void set_blocked(request_slot slot, bool blocked);

  /// Returns the next unblocked request in the cycle and moves the cursor past
  /// it, or returns none and moves nothing if all are blocked.
  request_slot take_turn();

  /// Whether `take_turn()` would find somebody.
  [[nodiscard]] bool has_unblocked() const noexcept;

  [[nodiscard]] bool holds(request_slot slot) const noexcept;

  /// @pre `holds(slot)`
  [[nodiscard]] bool is_blocked(request_slot slot) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Returns all members in the order of their turns, in O(n). For tests.
  [[nodiscard]] std::vector<request_slot> order() const;

  /// Checks the invariants in O(n). For tests and audit builds.
  void audit() const;

private:
  using slot = request_slot;

  struct node {
    slot parent = slot::none;
    slot left = slot::none;
    slot right = slot::none;
    bool member = false;
    bool open = false;
    bool open_below = false;
  };

  node& at(slot s) noexcept;
  [[nodiscard]] const node& at(slot s) const noexcept;
  [[nodiscard]] bool open_below(slot s) const noexcept;
  void refresh_upwards(slot from);
  bool refresh(node& n);
  void replace_child(slot parent, slot old_child, slot new_child);
  void rotate_up(slot child);
  void attach(slot fresh, slot parent, slot node::*side);
  [[nodiscard]] slot leftmost(slot s) const;
  [[nodiscard]] slot following(slot s) const;
  [[nodiscard]] slot first_open_below(slot s) const;
  [[nodiscard]] slot first_open_from(slot s) const;

  std::vector<node> nodes_;
  slot root_ = slot::none;
  slot cursor_ = slot::none;
  std::size_t size_ = 0;
};

} // namespace turnstile
