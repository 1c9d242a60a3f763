#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace turnstile {

/// What ranks compare in one round. The numbers travel: never reuse one.
enum class frame_kind : std::uint8_t {
  observation = 1, ///< What expired, what ended here, what was commanded.
  schedule = 2,    ///< What this rank committed and is about to submit.
  disposition = 3, ///< Which request this rank is about to cancel.
  poisoned = 4,    ///< That this rank is, and why: its last word.
  formation = 5,   ///< Which states this rank brings into a new epoch.
};

std::string_view to_string(frame_kind kind) noexcept;

/// Why something failed on the rank whose frame this is in.
struct frame_text {
  /// Longer texts are cut: a frame stays bounded, whatever a backend says.
  static constexpr std::size_t max_bytes = 1024;

  std::uint64_t word = 0; ///< The place of the word that says so.
  std::string text;       ///< UTF-8, if it was when it came in.

  friend bool operator==(const frame_text&, const frame_text&) = default;
};

/// One rank's word in one round. `words` by kind, each field one word:
///
///     observation   expired count, then per request: request
///                   work count, then per work: request, life, sequence, SEEN
///                   command count, then per command: kind, request, life,
///                     sequence, works, remaining, policy, digest, READY
///     schedule      work count, then per work: request, life, sequence,
///                     PREPARED, descriptor length, descriptor words
///                   commit count, then per work: request, life, sequence,
///                     COMMITTED
///                   command count, then per command: result
///     disposition   request, cause
///     poisoned      none, and one text
///     formation     NEXT LIFE, request count, then per request: request,
///                     commits
///
/// Ranks may differ in what stands in capitals, and in nothing else. SEEN is
/// an `observation`; PREPARED, COMMITTED, READY and result are 0 or an `errc`,
/// and a work that is not prepared says nothing of its descriptor.
struct frame {
  static constexpr std::uint32_t current_format = 1;

  frame_kind kind = frame_kind::observation;
  std::uint32_t format = current_format;
  std::uint64_t protocol = 0; ///< The program's; agreed on out of band.
  std::uint64_t epoch = 0;    ///< The group's formation.
  std::uint64_t round = 0;    ///< Counts the rounds of this epoch; from 1.
  std::uint64_t rank = 0;     ///< Whose word this is.
  instant clock;              ///< The group's time in this round.
  std::uint64_t length = 0;   ///< How many words there are.
  std::vector<std::uint64_t> words;
  std::vector<frame_text>
    texts; ///< Of words that say `failed`, in their order.

  friend bool operator==(const frame&, const frame&) = default;
};

/// Appends a word, and with it why, cut to what a frame may hold.
void put(frame& into, std::uint64_t word, std::string_view why);

/// The text that explains the word at `place`, or what stands for none.
std::string_view text_of(const frame& of, std::uint64_t place);

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
