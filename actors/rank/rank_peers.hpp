#pragma once

#include "actors/interfaces.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace turnstile {

/// The actors of the other ranks. What is said before one is known waits for
/// it, so that a group may come together in any order.
class rank_peers {
public:
  using on_down = std::function<void(std::size_t rank, const caf::error&)>;

  /// @param rank this one's own
  rank_peers(rank_actor::pointer self, std::size_t ranks, std::size_t rank,
             on_down down);

  /// Says who a rank is, also in place of an earlier one. For this rank itself
  /// it says through whom it hears itself: without that, directly. Refused with
  /// `invalid_argument` if there is no such rank.
  status join(std::uint64_t rank, const rank_peer_actor& peer);

  /// Which rank has sent the message that is being handled, whatever it says.
  /// A sender that was not joined (not yet, or what it says to us comes another
  /// way) is whoever it says it is, but never this rank.
  [[nodiscard]] std::optional<std::size_t> sender(std::uint64_t says) const;

  /// Whether all others are known.
  [[nodiscard]] bool is_complete() const;

  /// Whether this rank knows the leader, and who that is.
  [[nodiscard]] const rank_peer_actor& leader() const {
    return peers_.front().actor;
  }

  /// To all, this rank too.
  void send(const wire::Frame& word);

  /// To all others.
  void send(const wire::TurnOpened& opened);

private:
  /// More than a group can say before all of its ranks are there.
  static constexpr std::size_t max_unsent = 4;

  struct peer {
    rank_peer_actor actor;
    std::deque<wire::Frame> unsent;
    watch watched;
  };

  rank_actor::pointer self_;
  std::size_t rank_;
  on_down down_;
  std::vector<peer> peers_;
};

} // namespace turnstile
