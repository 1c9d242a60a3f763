#pragma once

#include "core/base/chain.hpp"
#include "core/base/flat_index.hpp"
#include "core/base/ids.hpp"
#include "core/base/slab.hpp"
#include "core/base/time.hpp"
#include "core/work/ledger.hpp"
#include "core/work/work_options.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// What was seen of a submitted work, before anything was made of it.
enum class observation : std::uint8_t {
  incomplete = 0,
  complete = 1,
  failed = 2,
};

/// All that is known of one accepted work, but for the user's values.
struct work_record {
  work_id id;
  request_slot owner = request_slot::none;
  work_place place = work_place::queued;

  instant deadline = instant::max(); ///< max: none
  deadline_policy policy;

  std::uint32_t submissions = 0;   ///< How often a backend got it.
  std::uint32_t conflicts = 0;     ///< How often its commit was refused.
  std::uint64_t base_commits = 0;  ///< The request's commits at its branch.
  std::uint64_t submission_at = 0; ///< Orders submissions; 0: none yet.
  instant abandoned_at;            ///< Meaningful while retained.
  std::uint64_t resources = 0;     ///< What its backend retains for it.

  observation seen = observation::incomplete;
  bool told_overdue = false;
  bool late = false; ///< Its deadline had passed when it completed.

  chain_link<work_slot> live_link;    ///< Among its request's live works.
  chain_link<work_slot> order_link;   ///< Among those that may publish.
  chain_link<work_slot> place_link;   ///< Among those at the same place.
  chain_link<work_slot> backend_link; ///< Among those that backends have.
};

/// Every accepted work that has not ended, found by its identity in O(1).
class work_table {
public:
  work_slot take(const work_id& id, request_slot owner);
  void give_back(work_slot slot);

  /// Returns the work with this sequence of the life that `owner` is.
  [[nodiscard]] std::optional<work_slot> find(request_slot owner,
                                              std::uint64_t sequence) const;

  work_record& operator[](work_slot slot) noexcept { return records_[slot]; }
  const work_record& operator[](work_slot slot) const noexcept {
    return records_[slot];
  }
  [[nodiscard]] bool holds(work_slot slot) const noexcept {
    return records_.holds(slot);
  }
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    records_.for_each(visit);
  }

  /// Checks that records and index agree, in O(n).
  void audit() const;

private:
  static flat_index::key key_of(request_slot owner, std::uint64_t sequence);

  slab<work_slot, work_record> records_;
  flat_index by_sequence_;
};

/// The works of one request in the order in which they were accepted.
using live_chain = chain<work_slot, link_at<&work_record::live_link>>;

/// Those of them that may still publish, in the same order.
using order_chain = chain<work_slot, link_at<&work_record::order_link>>;

/// Works at the same place, in the order in which they came there.
using place_chain = chain<work_slot, link_at<&work_record::place_link>>;

/// Works that backends have, parked ones included, in the order of submission.
using backend_chain = chain<work_slot, link_at<&work_record::backend_link>>;

} // namespace turnstile
