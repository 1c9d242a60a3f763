#include "core/work/ready_ring.hpp"

#include "core/base/check.hpp"
#include "core/base/touch.hpp"

namespace turnstile {

namespace {

/// A treap is balanced if its priorities are as good as random; they need not
/// be secret. The finalizer of murmur3 is, and repeats from run to run.
std::uint32_t priority(request_slot slot) noexcept {
  auto x = static_cast<std::uint32_t>(slot) + 1;
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

} // namespace

ready_ring::node& ready_ring::at(slot s) noexcept {
  touch();
  return nodes_[index_of(s)];
}

const ready_ring::node& ready_ring::at(slot s) const noexcept {
  touch();
  return nodes_[index_of(s)];
}

bool ready_ring::open_below(slot s) const noexcept {
  return s != slot::none && at(s).open_below;
}

bool ready_ring::refresh(node& n) {
  auto now = n.open || open_below(n.left) || open_below(n.right);
  if (now == n.open_below)
    return false;
  n.open_below = now;
  return true;
}

void ready_ring::refresh_upwards(slot from) {
  while (from != slot::none) {
    auto& n = at(from);
    if (!refresh(n))
      return;
    from = n.parent;
  }
}

void ready_ring::replace_child(slot parent, slot old_child, slot new_child) {
  if (parent == slot::none)
    root_ = new_child;
  else if (at(parent).left == old_child)
    at(parent).left = new_child;
  else
    at(parent).right = new_child;
}

void ready_ring::rotate_up(slot child) {
  auto parent = at(child).parent;
  auto grandparent = at(parent).parent;
  auto inner = slot::none;
  if (at(parent).left == child) {
    inner = at(child).right;
    at(parent).left = inner;
    at(child).right = parent;
  } else {
    inner = at(child).left;
    at(parent).right = inner;
    at(child).left = parent;
  }
  if (inner != slot::none)
    at(inner).parent = parent;
  at(parent).parent = child;
  at(child).parent = grandparent;
  replace_child(grandparent, parent, child);
  // The pair holds what it held, so nobody above them changes.
  refresh(at(parent));
  refresh(at(child));
}

void ready_ring::attach(slot fresh, slot parent, slot node::*side) {
  at(fresh).parent = parent;
  if (parent == slot::none)
    root_ = fresh;
  else
    at(parent).*side = fresh;
  refresh_upwards(parent);
  while (at(fresh).parent != slot::none
         && priority(at(fresh).parent) < priority(fresh))
    rotate_up(fresh);
}

ready_ring::slot ready_ring::leftmost(slot s) const {
  while (s != slot::none && at(s).left != slot::none)
    s = at(s).left;
  return s;
}

ready_ring::slot ready_ring::following(slot s) const {
  if (at(s).right != slot::none)
    return leftmost(at(s).right);
  auto parent = at(s).parent;
  while (parent != slot::none && at(parent).right == s) {
    s = parent;
    parent = at(s).parent;
  }
  return parent != slot::none ? parent : leftmost(root_);
}

ready_ring::slot ready_ring::first_open_below(slot s) const {
  if (!open_below(s))
    return slot::none;
  for (;;) {
    const auto& n = at(s);
    if (open_below(n.left))
      s = n.left;
    else if (n.open)
      return s;
    else
      s = n.right;
  }
}

ready_ring::slot ready_ring::first_open_from(slot s) const {
  const auto& from = at(s);
  if (from.open)
    return s;
  if (auto found = first_open_below(from.right); found != slot::none)
    return found;
  for (auto child = s, parent = from.parent; parent != slot::none;) {
    const auto& n = at(parent);
    if (n.left == child) {
      if (n.open)
        return parent;
      if (auto found = first_open_below(n.right); found != slot::none)
        return found;
    }
    child = parent;
    parent = n.parent;
  }
  return first_open_below(root_); // once around
}

void ready_ring::arm(request_slot fresh, bool blocked) {
  TURNSTILE_CHECK(!holds(fresh));
  if (nodes_.size() <= index_of(fresh))
    nodes_.resize(index_of(fresh) + 1);
  at(fresh) = {.member = true, .open = !blocked, .open_below = !blocked};
  ++size_;
  if (root_ == slot::none) {
    root_ = cursor_ = fresh;
  } else if (at(cursor_).left == slot::none) {
    attach(fresh, cursor_, &node::left);
  } else {
    auto before = at(cursor_).left;
    while (at(before).right != slot::none)
      before = at(before).right;
    attach(fresh, before, &node::right);
  }
}

void ready_ring::disarm(request_slot gone) {
  if (!holds(gone))
    return;
  if (cursor_ == gone)
    cursor_ = size_ == 1 ? slot::none : following(gone);
  for (;;) {
    auto left = at(gone).left;
    auto right = at(gone).right;
    if (left == slot::none && right == slot::none)
      break;
    auto left_rises =
      left != slot::none
      && (right == slot::none || priority(left) > priority(right));
    rotate_up(left_rises ? left : right);
  }
  auto parent = at(gone).parent;
  replace_child(parent, gone, slot::none);
  at(gone) = {};
  --size_;
  refresh_upwards(parent);
}

void ready_ring::set_blocked(request_slot s, bool blocked) {
  TURNSTILE_CHECK(holds(s));
  if (at(s).open == !blocked)
    return;
  at(s).open = !blocked;
  refresh_upwards(s);
}

request_slot ready_ring::take_turn() {
  if (!has_unblocked())
    return slot::none;
  auto found = first_open_from(cursor_);
  cursor_ = following(found);
  return found;
}

bool ready_ring::has_unblocked() const noexcept {
  return open_below(root_);
}

bool ready_ring::holds(request_slot s) const noexcept {
  return index_of(s) < nodes_.size() && nodes_[index_of(s)].member;
}

bool ready_ring::is_blocked(request_slot s) const noexcept {
  return !at(s).open;
}

std::vector<request_slot> ready_ring::order() const {
  std::vector<request_slot> cycle;
  cycle.reserve(size_);
  auto s = cursor_;
  for (std::size_t i = 0; i < size_; ++i, s = following(s))
    cycle.push_back(s);
  return cycle;
}

void ready_ring::audit() const {
  TURNSTILE_CHECK((size_ == 0) == (cursor_ == slot::none));
  TURNSTILE_CHECK(cursor_ == slot::none || holds(cursor_));
  std::size_t members = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& n = nodes_[i];
    if (!n.member)
      continue;
    ++members;
    auto self = static_cast<slot>(i);
    auto below = n.open;
    for (auto child : {n.left, n.right})
      if (child != slot::none) {
        TURNSTILE_CHECK(at(child).member && at(child).parent == self);
        TURNSTILE_CHECK(priority(child) <= priority(self));
        below = below || at(child).open_below;
      }
    TURNSTILE_CHECK(n.open_below == below);
    TURNSTILE_CHECK(n.parent != slot::none || root_ == self);
  }
  TURNSTILE_CHECK(members == size_);
}

} // namespace turnstile
