#pragma once

#include "core/base/check.hpp"
#include "core/base/touch.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace turnstile {

/// The dense place of a request in every table that says something about it.
enum class request_slot : std::uint32_t { none = 0xFFFFFFFF };

/// The dense place of a work in every table that says something about it.
enum class work_slot : std::uint32_t { none = 0xFFFFFFFF };

template <class Slot>
constexpr std::size_t index_of(Slot slot) noexcept {
  return static_cast<std::size_t>(slot);
}

/// Hands out places for records and takes them back. A place keeps its address
/// for the slab's whole life; what was freed last is used first.
///
/// Invariants:
/// (1) A place is either taken or in `free_`, never both.
/// (2) A freed record is a default-constructed one.
template <class Slot, class Record>
class slab {
public:
  /// Takes a place that holds a default-constructed record.
  Slot take() {
    touch();
    if (free_.empty()) {
      TURNSTILE_CHECK(records_.size() < index_of(Slot::none));
      records_.emplace_back();
      taken_.push_back(true);
      free_.reserve(records_.size()); // so that giving back cannot throw
      return static_cast<Slot>(records_.size() - 1);
    }
    auto slot = free_.back();
    free_.pop_back();
    taken_[index_of(slot)] = true;
    return slot;
  }

  /// Frees `slot` and resets its record.
  void give_back(Slot slot) {
    TURNSTILE_CHECK(holds(slot));
    touch();
    records_[index_of(slot)] = Record{};
    taken_[index_of(slot)] = false;
    free_.push_back(slot);
  }

  [[nodiscard]] bool holds(Slot slot) const noexcept {
    return index_of(slot) < taken_.size() && taken_[index_of(slot)];
  }

  /// @pre `holds(slot)`
  Record& operator[](Slot slot) noexcept {
    TURNSTILE_CHECK(holds(slot));
    touch();
    return records_[index_of(slot)];
  }

  /// @pre `holds(slot)`
  const Record& operator[](Slot slot) const noexcept {
    TURNSTILE_CHECK(holds(slot));
    touch();
    return records_[index_of(slot)];
  }

  [[nodiscard]] std::size_t size() const noexcept {
    return records_.size() - free_.size();
  }

  /// Calls `visit(slot, record)` for each taken place, in O(capacity).
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < records_.size(); ++i)
      if (taken_[i])
        visit(static_cast<Slot>(i), records_[i]);
  }

  /// Checks the invariants in O(n). For tests and audit builds.
  void audit() const {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i)
      taken += taken_[i] ? 1 : 0;
    TURNSTILE_CHECK(taken == size());
    for (auto slot : free_)
      TURNSTILE_CHECK(!taken_[index_of(slot)]);
  }

private:
  std::deque<Record> records_;
  std::vector<bool> taken_;
  std::vector<Slot> free_;
};

} // namespace turnstile
