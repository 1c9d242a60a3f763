#pragma once

#include "actors/interfaces.hpp"

#include <cstddef>
#include <vector>

namespace turnstile {

/// Where the ranks of a group meet: one node publishes it, and each rank needs
/// to know that port only.
using rank_meeting_actor = typed_actor<
  /// This rank is here, perhaps in place of one that was lost. Everybody who
  /// is here hears of it, and it hears of everybody. Refused with
  /// `invalid_argument` if there is no such rank.
  caf::result<void>(join_atom, std::uint64_t, rank_actor)>;

/// Makes the ranks of a group known to each other, whenever they come:
/// `spawn<rank_meeting_state>(system, ranks)`.
class rank_meeting_state {
public:
  static constexpr const char* name = "turnstile.rank_meeting";

  rank_meeting_state(rank_meeting_actor::pointer self, std::size_t ranks);

  rank_meeting_actor::behavior_type make_behavior();

private:
  status join(std::uint64_t rank, const rank_actor& who);

  rank_meeting_actor::pointer self_;
  std::vector<rank_actor> here_;
};

} // namespace turnstile
