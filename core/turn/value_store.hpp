#pragma once

#include "core/base/check.hpp"
#include "core/base/slab.hpp"
#include "core/work/program.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace turnstile {

/// The user's values of one accepted work.
template <program P>
struct work_values {
  std::optional<typename P::work_type> work;
  std::optional<typename P::state_type::branch_type> branch;
  std::optional<typename P::output_type> output;
  std::optional<outcome_of<P>> outcome; ///< What its completion carried.
  bool applied = false;                 ///< It is in the branch already.
  std::vector<std::uint32_t> descriptor;
  std::optional<failure> why; ///< What its observed failure was.
};

/// The user's values, beside the book: found by the same slots. A place is
/// kept when it is emptied, so that the steady state allocates nothing.
///
/// Invariant: a slot has a work exactly if the book holds the slot.
template <program P>
class value_store {
public:
  using state_type = typename P::state_type;

  void put_state(request_slot slot, state_type state) {
    if (states_.size() <= index_of(slot))
      states_.resize(index_of(slot) + 1);
    states_[index_of(slot)].emplace(std::move(state));
  }

  [[nodiscard]] bool has_state(request_slot slot) const noexcept {
    return index_of(slot) < states_.size()
           && states_[index_of(slot)].has_value();
  }

  /// @pre `has_state(slot)`
  state_type& state(request_slot slot) {
    TURNSTILE_CHECK(has_state(slot));
    return *states_[index_of(slot)];
  }

  /// @pre `has_state(slot)`
  const state_type& state(request_slot slot) const {
    TURNSTILE_CHECK(has_state(slot));
    return *states_[index_of(slot)];
  }

  void drop_state(request_slot slot) {
    if (index_of(slot) < states_.size())
      states_[index_of(slot)].reset();
  }

  void put_work(work_slot slot, typename P::work_type&& work) {
    if (works_.size() <= index_of(slot))
      works_.resize(index_of(slot) + 1);
    auto& values = works_[index_of(slot)];
    TURNSTILE_CHECK(!values.work);
    values.work.emplace(std::move(work));
  }

  work_values<P>& operator[](work_slot slot) {
    TURNSTILE_CHECK(works_[index_of(slot)].work.has_value());
    return works_[index_of(slot)];
  }

  const work_values<P>& operator[](work_slot slot) const {
    TURNSTILE_CHECK(works_[index_of(slot)].work.has_value());
    return works_[index_of(slot)];
  }

  /// Destroys what is left of a work's values.
  void drop_work(work_slot slot) {
    auto& values = works_[index_of(slot)];
    values.work.reset();
    values.why.reset();
    drop_submission(values);
    if (values.descriptor.capacity() > kept_descriptor_words)
      values.descriptor = {};
    values.descriptor.clear();
  }

  /// Destroys what belongs to one submission of a work.
  static void drop_submission(work_values<P>& values) {
    values.branch.reset();
    values.output.reset();
    values.outcome.reset();
    values.applied = false;
  }

  /// How many works have values, in O(capacity). For audits.
  [[nodiscard]] std::size_t works() const {
    std::size_t count = 0;
    for (const auto& values : works_)
      count += values.work ? 1 : 0;
    return count;
  }

private:
  static constexpr std::size_t kept_descriptor_words = 64;

  std::deque<std::optional<state_type>> states_;
  std::deque<work_values<P>> works_;
};

} // namespace turnstile
