#include "core/work/deadline_index.hpp"

#include "core/base/check.hpp"
#include "core/base/touch.hpp"

#include <utility>

namespace turnstile {

bool deadline_index::earlier(const entry& left, const entry& right) noexcept {
  return left.when != right.when ? left.when < right.when
                                 : left.slot < right.slot;
}

void deadline_index::place(std::size_t at, const entry& what) {
  touch();
  heap_[at] = what;
  position_[index_of(what.slot)] = static_cast<std::uint32_t>(at);
}

void deadline_index::sift_up(std::size_t at) {
  auto moving = heap_[at];
  while (at > 0 && earlier(moving, heap_[(at - 1) / 2])) {
    place(at, heap_[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
  place(at, moving);
}

void deadline_index::sift_down(std::size_t at) {
  auto moving = heap_[at];
  for (auto child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
    if (child + 1 < heap_.size() && earlier(heap_[child + 1], heap_[child]))
      ++child;
    if (!earlier(heap_[child], moving))
      break;
    place(at, heap_[child]);
    at = child;
  }
  place(at, moving);
}

void deadline_index::set(work_slot slot, instant when) {
  clear(slot);
  if (position_.size() <= index_of(slot))
    position_.resize(index_of(slot) + 1, absent);
  heap_.push_back({when, slot});
  sift_up(heap_.size() - 1);
}

bool deadline_index::clear(work_slot slot) {
  if (!holds(slot))
    return false;
  remove_at(position_[index_of(slot)]);
  return true;
}

void deadline_index::remove_at(std::size_t at) {
  position_[index_of(heap_[at].slot)] = absent;
  auto last = heap_.back();
  heap_.pop_back();
  if (at == heap_.size())
    return;
  place(at, last);
  sift_up(at);
  sift_down(position_[index_of(last.slot)]);
}

std::optional<instant> deadline_index::next() const {
  if (heap_.empty())
    return std::nullopt;
  return heap_.front().when;
}

std::optional<work_slot> deadline_index::take_due(instant now) {
  if (heap_.empty() || heap_.front().when > now)
    return std::nullopt;
  auto due = heap_.front().slot;
  remove_at(0);
  return due;
}

std::optional<instant> deadline_index::find(work_slot slot) const {
  if (!holds(slot))
    return std::nullopt;
  return heap_[position_[index_of(slot)]].when;
}

bool deadline_index::holds(work_slot slot) const noexcept {
  return index_of(slot) < position_.size()
         && position_[index_of(slot)] != absent;
}

void deadline_index::audit() const {
  std::size_t held = 0;
  for (auto position : position_)
    held += position != absent ? 1 : 0;
  TURNSTILE_CHECK(held == heap_.size());
  for (std::size_t at = 0; at < heap_.size(); ++at) {
    TURNSTILE_CHECK(position_[index_of(heap_[at].slot)] == at);
    TURNSTILE_CHECK(at == 0 || !earlier(heap_[at], heap_[(at - 1) / 2]));
  }
}

} // namespace turnstile
