#include "actors/rank/rank_peers.hpp"

#include <string>
#include <utility>

namespace turnstile {

rank_peers::rank_peers(rank_actor::pointer self, std::size_t ranks,
                       std::size_t rank, on_down down)
  : self_(self), rank_(rank), down_(std::move(down)), peers_(ranks) {}

status rank_peers::join(std::uint64_t rank, const rank_peer_actor& actor) {
  if (rank >= peers_.size())
    return fail(errc::invalid_argument,
                "there is no rank " + std::to_string(rank) + " in a group of "
                  + std::to_string(peers_.size()));
  auto& peer = peers_[rank];
  peer.watched.dispose();
  peer.actor = actor;
  peer.watched = monitor(self_, actor, [this, rank](const caf::error& why) {
    peers_[rank].actor = rank_peer_actor{};
    down_(rank, why);
  });
  for (auto& word : std::exchange(peer.unsent, {}))
    mail(self_, std::move(word)).send(actor);
  return {};
}

std::optional<std::size_t> rank_peers::sender(std::uint64_t says) const {
  const auto& from = self_->current_sender();
  if (from == self_->ctrl())
    return rank_;
  for (std::size_t rank = 0; rank < peers_.size(); ++rank)
    if (from
        && caf::actor_cast<caf::strong_actor_ptr>(peers_[rank].actor) == from)
      return rank;
  if (says < peers_.size() && says != rank_)
    return says;
  return std::nullopt;
}

bool rank_peers::is_complete() const {
  for (std::size_t rank = 0; rank < peers_.size(); ++rank)
    if (rank != rank_ && !peers_[rank].actor)
      return false;
  return true;
}

void rank_peers::send(const wire::Frame& word) {
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    auto& peer = peers_[rank];
    if (peer.actor)
      mail(self_, word).send(peer.actor);
    else if (rank == rank_)
      mail(self_, word).send(rank_actor{self_});
    else if (peer.unsent.size() < max_unsent)
      peer.unsent.push_back(word);
  }
}

void rank_peers::send(const wire::TurnOpened& opened) {
  for (std::size_t rank = 0; rank < peers_.size(); ++rank)
    if (rank != rank_ && peers_[rank].actor)
      mail(self_, opened).send(peers_[rank].actor);
}

} // namespace turnstile
