#pragma once

#include "core/base/ids.hpp"
#include "core/base/slab.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

class work_book;

/// Why a work that has not ended does not go on now.
enum class hold_kind : std::uint8_t {
  turn,          ///< Nothing holds it: a turn gives it what it wants.
  delay,         ///< It was queued again for later.
  request_slots, ///< Its request has `max_in_flight_per_request`.
  branch,        ///< Its request's state permits no other branch now.
  slots,         ///< All have `max_in_flight_global`.
  backend,       ///< Its backend has it, and it may publish.
  waits,         ///< Its backend has it, and it waits for something else.
  abandoned,     ///< It cannot publish, and its backend has not ended it.
  other_ranks,   ///< It has failed here and not yet everywhere.
  sibling,       ///< It is done, and an earlier sibling has to commit first.
  not_durable,   ///< It has ended, and that is not durable yet.
};

/// What one work waits for, and who has it.
struct hold {
  /// So many holders are named, among as many works looked at as
  /// `max_looked_at`: looking costs the same however many works there are.
  static constexpr std::size_t max_named = 8;
  static constexpr std::size_t max_looked_at = 4096;

  hold_kind kind = hold_kind::turn;
  std::uint64_t limit = 0;      ///< Of the kinds that name one: its value.
  std::uint64_t held_by = 0;    ///< How many works have what it waits for.
  std::vector<work_id> holders; ///< The first of them.
  std::uint64_t before = 0;     ///< Works of its own request ahead of it.
  std::optional<instant> until; ///< When time alone will let it go on.
};

/// Looks at the books for what holds a work. Of a work that stands in its
/// request's queue, that is what holds the head of that queue.
hold hold_of(const work_book& book, work_slot slot);

} // namespace turnstile
