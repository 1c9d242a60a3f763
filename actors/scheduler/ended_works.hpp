#pragma once

#include "actors/caf/owed_answer.hpp"
#include "actors/type_ids.hpp"
#include "core/base/hash.hpp"
#include "core/base/ids.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace turnstile {

/// Who waits for the end of which work, and ends that nobody has waited for
/// yet: a client may ask after the fact. Those are bounded; the oldest is
/// dropped first, and then only the lifecycle can be told.
///
/// Invariant: a work is awaited or kept, never both.
class ended_works {
public:
  explicit ended_works(std::size_t max_kept) : max_kept_(max_kept) {}

  /// Remembers that `who` waits for a work that has not ended.
  void await(const work_id& id, owed_answer<wire::WorkEnded> who);

  /// Tells everybody who waits, or keeps the end for who will ask.
  void tell(const work_id& id, wire::WorkEnded ended);

  /// Takes the end that was kept, if there is one.
  std::optional<wire::WorkEnded> take(const work_id& id);

private:
  std::size_t max_kept_;
  std::unordered_map<work_id, std::vector<owed_answer<wire::WorkEnded>>,
                     id_hash>
    awaited_;
  std::unordered_map<work_id, wire::WorkEnded, id_hash> kept_;
  std::deque<work_id> order_; ///< Of keeping; may name some that were taken.
};

} // namespace turnstile
