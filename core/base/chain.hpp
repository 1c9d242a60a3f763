#pragma once

#include "core/base/check.hpp"

#include <cstddef>

namespace turnstile {

/// Where a record stands in a chain: its neighbours.
template <class Slot>
struct chain_link {
  Slot before = Slot::none;
  Slot after = Slot::none;
};

/// Finds the link in a member of the record:
/// `link_at<&work_record::live_link>`.
template <auto Member>
struct link_at {
  auto& operator()(auto& table, auto slot) const { return table[slot].*Member; }
};

/// A doubly linked list whose links live in the records themselves, so that
/// joining and leaving cost O(1) and no memory. `LinkOf{}(table, slot)` returns
/// the link of a record.
///
/// Invariant: walking from `first()` meets `size()` records and ends at
/// `last()`, each knowing its neighbours.
template <class Slot, class LinkOf>
class chain {
public:
  [[nodiscard]] Slot first() const noexcept { return first_; }
  [[nodiscard]] Slot last() const noexcept { return last_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  template <class Table>
  void push_back(Table& table, Slot slot) {
    auto& link = LinkOf{}(table, slot);
    link = {last_, Slot::none};
    (last_ == Slot::none ? first_ : LinkOf{}(table, last_).after) = slot;
    last_ = slot;
    ++size_;
  }

  template <class Table>
  void push_front(Table& table, Slot slot) {
    auto& link = LinkOf{}(table, slot);
    link = {Slot::none, first_};
    (first_ == Slot::none ? last_ : LinkOf{}(table, first_).before) = slot;
    first_ = slot;
    ++size_;
  }

  /// @pre `slot` is in this chain
  template <class Table>
  void remove(Table& table, Slot slot) {
    TURNSTILE_CHECK(size_ > 0);
    auto& link = LinkOf{}(table, slot);
    (link.before == Slot::none ? first_ : LinkOf{}(table, link.before).after) =
      link.after;
    (link.after == Slot::none ? last_ : LinkOf{}(table, link.after).before) =
      link.before;
    link = {};
    --size_;
  }

  template <class Table>
  [[nodiscard]] Slot after(Table& table, Slot slot) const {
    return LinkOf{}(table, slot).after;
  }

  /// Checks the invariant in O(n). For tests and audit builds.
  template <class Table>
  void audit(Table& table) const {
    std::size_t met = 0;
    auto previous = Slot::none;
    for (auto slot = first_; slot != Slot::none;
         slot = LinkOf{}(table, slot).after) {
      TURNSTILE_CHECK(LinkOf{}(table, slot).before == previous);
      previous = slot;
      ++met;
      TURNSTILE_CHECK(met <= size_);
    }
    TURNSTILE_CHECK(met == size_);
    TURNSTILE_CHECK(previous == last_);
  }

private:
  Slot first_ = Slot::none;
  Slot last_ = Slot::none;
  std::size_t size_ = 0;
};

} // namespace turnstile
