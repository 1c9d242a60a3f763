#pragma once

#include "core/base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

/// What ranks compare in one round. The numbers travel: never reuse one.
enum class frame_kind : std::uint8_t {
  observation = 1, ///< Which requests expired and which works ended here.
  schedule = 2,    ///< Which works this rank is about to submit.
  disposition = 3, ///< Which request this rank is about to cancel.
};

/// One rank's word in one round. `words` by kind, each field one word:
///
///     observation   expired count, then per request: request
///                   work count, then per work: request, life, sequence, seen
///     schedule      work count, then per work: request, life, sequence,
///                   descriptor length, descriptor words
///     disposition   request, cause
///
/// `seen` is an `observation`; it alone may differ between ranks.
struct frame {
  static constexpr std::uint32_t current_format = 1;

  frame_kind kind = frame_kind::observation;
  std::uint32_t format = current_format;
  std::uint64_t protocol = 0; ///< The program's; agreed on out of band.
  std::uint64_t epoch = 0;    ///< The group's formation.
  std::uint64_t round = 0;    ///< Counts this group's rounds.
  std::uint64_t rank = 0;     ///< Whose word this is.
  std::vector<std::uint64_t> words;

  friend bool operator==(const frame&, const frame&) = default;
};

/// How ranks exchange frames. It does no I/O from core's point of view: it
/// answers at once, or says that the frames will come with `resume_turn`.
class rank_group {
public:
  rank_group() = default;
  rank_group(const rank_group&) = delete;
  rank_group& operator=(const rank_group&) = delete;
  virtual ~rank_group() = default;

  /// How many ranks there are. With one there is nothing to agree on; a group
  /// of none cannot agree on anything, which poisons.
  [[nodiscard]] virtual std::size_t ranks() const = 0;

  /// Which of them this one is.
  [[nodiscard]] virtual std::size_t rank() const = 0;

  /// Gives `local` to all and returns the frames of all in the order of ranks,
  /// or nothing if they will come later, or why they never will.
  virtual result<std::optional<std::vector<frame>>>
  gather(const frame& local) = 0;
};

/// A group whose other ranks answer every round exactly as this one does.
class mirror_group final : public rank_group {
public:
  explicit mirror_group(std::size_t ranks) : ranks_(ranks) {}

  [[nodiscard]] std::size_t ranks() const override { return ranks_; }
  [[nodiscard]] std::size_t rank() const override { return 0; }
  result<std::optional<std::vector<frame>>> gather(const frame& local) override;

private:
  std::size_t ranks_;
};

} // namespace turnstile
