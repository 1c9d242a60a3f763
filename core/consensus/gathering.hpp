#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/consensus/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// Collects what all ranks say in one round, whenever and how often their
/// frames come. It decides by epoch and round only: what frames say is the
/// agreement's business, so a frame is kept as it is. This rank's own comes the
/// same way as all others, so that it is known to have travelled unchanged
/// (decision R10).
///
/// Invariant: of each rank it keeps one frame of the open round, the first, and
/// at most `max_early` of later ones: a peer that obeys the rounds is never
/// further ahead than the next round and the next epoch.
class gathering {
public:
  static constexpr std::size_t max_early = 2;

  /// What became of a frame.
  enum class arrival : std::uint8_t {
    taken,    ///< It belongs to the open round.
    early,    ///< It is kept for a later one.
    late,     ///< Its round is over.
    doubled,  ///< Its rank has said something in that round already.
    refused,  ///< There is no such rank, or it is too far ahead.
    farewell, ///< Its rank has stopped: see `stopped()`.
  };

  /// @pre `rank < ranks`
  gathering(std::size_t ranks, std::size_t rank);

  /// Begins the round of this rank's own frame.
  void open(const frame& local);

  /// Takes a frame. @param from the rank that has sent it, whatever it says
  arrival arrive(std::size_t from, frame theirs);

  /// The same where only the frame knows whose it is.
  arrival arrive(frame theirs);

  [[nodiscard]] bool is_open() const noexcept { return open_; }

  /// Whether all have said something in the open round.
  [[nodiscard]] bool is_whole() const noexcept;

  /// Ends the round and returns the frames in the order of ranks.
  /// @pre `is_whole()`
  std::vector<frame> take();

  /// Ends the round without all of them.
  void give_up() noexcept { open_ = false; }

  /// Which ranks have said nothing in the open round.
  [[nodiscard]] std::vector<std::size_t> missing() const;

  /// Why the open round cannot end: who did not answer within `waited`, and if
  /// such a rank has said something of another round or epoch, that.
  [[nodiscard]] failure lost(duration waited) const;

  /// Which rank of this epoch has said that it goes on no more, and why.
  [[nodiscard]] const std::optional<failure>& stopped() const noexcept {
    return stopped_;
  }

private:
  using place = std::pair<std::uint64_t, std::uint64_t>;

  static place place_of(const frame& f) { return {f.epoch, f.round}; }
  arrival keep(std::size_t from, frame&& theirs);
  [[nodiscard]] std::string strays_of(std::size_t rank) const;
  void take_early(std::size_t rank);
  void note_farewell(std::size_t from, const frame& theirs);

  std::size_t rank_;
  place now_{0, 0}; ///< Epoch and number of the newest round; round 0: none.
  bool open_ = false;
  std::vector<std::optional<frame>> said_;
  std::vector<std::vector<frame>> early_;    ///< By rank, in order of place.
  std::vector<std::optional<place>> strays_; ///< Where else they spoke, first.
  std::vector<std::optional<place>> strays_before_; ///< In the last round.
  std::optional<failure> stopped_;
};

} // namespace turnstile
