#include "actors/rank/rank_meeting.hpp"

#include <string>

namespace turnstile {

rank_meeting_state::rank_meeting_state(rank_meeting_actor::pointer self,
                                       std::size_t ranks)
  : self_(self), here_(ranks) {}

rank_meeting_actor::behavior_type rank_meeting_state::make_behavior() {
  return {[this](join_atom, std::uint64_t rank, const rank_actor& who) {
    return answer(join(rank, who));
  }};
}

status rank_meeting_state::join(std::uint64_t rank, const rank_actor& who) {
  if (rank >= here_.size())
    return fail(errc::invalid_argument,
                "there is no rank " + std::to_string(rank) + " in a group of "
                  + std::to_string(here_.size()));
  here_[rank] = who;
  for (std::size_t other = 0; other < here_.size(); ++other) {
    if (other == rank || !here_[other])
      continue;
    mail(self_, join_atom_v, rank, rank_peer_actor{who}).send(here_[other]);
    mail(self_, join_atom_v, std::uint64_t{other},
         rank_peer_actor{here_[other]})
      .send(who);
  }
  return {};
}

} // namespace turnstile
