#pragma once

#include "core/consensus/frame.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace turnstile {

/// One rank's words, as a transport without types carries them:
///
///     kind, format, protocol, epoch, round, rank, clock, length,
///     words...,
///     text count, then per text: word, bytes, the bytes, eight in a word
///
/// The first byte of a text is the lowest of its word.
using frame_row = std::vector<std::uint64_t>;

/// Writes a frame as a row.
frame_row to_row(const frame& f);

/// Reads a row. Words behind its end are a transport's padding, if all of them
/// are zero. `errc::consensus` names what is wrong.
result<frame> from_row(const frame_row& row);

/// A group over a transport that blocks until all ranks have given their words,
/// as collective libraries do: for hosts that may wait (decision R1). The
/// transport returns the rows of all ranks in their order, its own included.
class blocking_group final : public rank_group {
public:
  using all_gather =
    std::function<result<std::vector<frame_row>>(const frame_row&)>;

  blocking_group(std::size_t ranks, std::size_t rank, all_gather transport)
    : ranks_(ranks), rank_(rank), transport_(std::move(transport)) {}

  [[nodiscard]] std::size_t ranks() const override { return ranks_; }
  [[nodiscard]] std::size_t rank() const override { return rank_; }
  result<std::optional<std::vector<frame>>> gather(const frame& local) override;

private:
  std::size_t ranks_;
  std::size_t rank_;
  all_gather transport_;
};

} // namespace turnstile
