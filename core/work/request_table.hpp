#pragma once

#include "core/base/chain.hpp"
#include "core/base/flat_index.hpp"
#include "core/base/ids.hpp"
#include "core/base/slab.hpp"
#include "core/work/lifecycle.hpp"
#include "core/work/lifecycle_history.hpp"
#include "core/work/work_table.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace turnstile {

/// All that is known of one life of a request, but for the user's state.
struct request_record {
  request_id id;
  std::uint64_t life = 0;
  request_status status = request_status::active;

  /// Its identity was freed by `forget` or `release`: only the lifecycles of
  /// its works can still be asked for.
  bool forgotten = false;

  bool parallel = false;     ///< Its state permits parallel branches.
  bool ordered = false;      ///< Its state wants commits in order.
  bool keeps_state = false;  ///< It has ended and nobody took its state yet.
  bool end_held = false;     ///< It has ended, but nobody may know yet.
  bool frozen = false;       ///< Poison ended it: it goes on if re-formed.
  std::uint64_t told_by = 0; ///< The verb that told its end; 0: none did.
  std::uint64_t next_sequence = 0;
  std::uint64_t commits = 0;

  live_chain live;         ///< Accepted works that have not ended, in sequence.
  order_chain publishable; ///< Those of them that may still publish.
  place_chain queued;      ///< Those waiting for a branch or to resume.
  std::uint32_t branches = 0;   ///< Works whose branch may still be published.
  std::uint32_t slots = 0;      ///< Works that hold a slot or are next to.
  std::uint32_t submitted = 0;  ///< Works submitted and not ended.
  std::uint32_t completing = 0; ///< Those that wait for an earlier commit.

  lifecycle_history history;

  request_slot older = request_slot::none; ///< The life before this one.
  request_slot newer = request_slot::none; ///< The life after this one.
  chain_link<request_slot> ended_link;     ///< Among those retention may drop.
  chain_link<request_slot> state_link;     ///< Among those that keep a state.
};

/// Every remembered life of every request. The newest life of an identity is
/// found in O(1); older ones hang behind it, newest first.
class request_table {
public:
  explicit request_table(std::uint64_t first_life = 0) : lives_(first_life) {}

  /// Adds the next life of `id` in front of its older ones.
  request_slot add(request_id id);

  /// Adds a life that began elsewhere. @pre no life of `id` that is remembered
  /// is as new
  request_slot add(request_id id, std::uint64_t life);

  /// The number that the next life gets, and a way to leave some out.
  [[nodiscard]] std::uint64_t next_life() const noexcept { return lives_; }
  void begin_lives_at(std::uint64_t life) noexcept {
    lives_ = std::max(lives_, life);
  }

  /// Forgets a life for good. @pre it is not active and has no live work
  void drop(request_slot slot);

  /// Returns the newest remembered life of `id`, forgotten or not.
  [[nodiscard]] std::optional<request_slot> newest(request_id id) const;

  /// Returns the life that owns the identity: active or ended, not forgotten.
  [[nodiscard]] std::optional<request_slot> owner_of(request_id id) const;

  /// Returns that life of `id`, if it is remembered.
  [[nodiscard]] std::optional<request_slot> find(request_id id,
                                                 std::uint64_t life) const;

  request_record& operator[](request_slot slot) noexcept {
    return records_[slot];
  }
  const request_record& operator[](request_slot slot) const noexcept {
    return records_[slot];
  }
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    records_.for_each(visit);
  }

  /// Checks that records, index and the lives' order agree, in O(n).
  void audit() const;

private:
  static flat_index::key key_of_newest(request_id id) { return {id.value, 0}; }
  static flat_index::key key_of(request_id id, std::uint64_t life) {
    return {id.value, life + 1};
  }

  slab<request_slot, request_record> records_;
  flat_index index_;        ///< Each life, and the newest of each identity.
  std::uint64_t lives_ = 0; ///< Over all identities, so none is used twice.
};

/// Ended requests in the order in which retention may drop them.
using ended_chain = chain<request_slot, link_at<&request_record::ended_link>>;

/// Ended requests whose last state nobody took, oldest first.
using state_chain = chain<request_slot, link_at<&request_record::state_link>>;

} // namespace turnstile
