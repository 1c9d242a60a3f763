#pragma once

#include "core/work/lifecycle.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace turnstile {

/// How the ended works of one life of a request ended. Committed is what works
/// are for, so it costs nothing: only the exceptions are kept, as ranges, and
/// a request of a million works that all committed, or that were all dropped
/// by one cancel, needs one row or none (decision T11).
///
/// Invariants:
/// (1) Ranges do not overlap, and neighbours with the same lifecycle are one.
/// (2) There are at most as many ranges as the bound given to `note`.
/// (3) No range begins below `known_from()`.
class lifecycle_history {
public:
  /// Remembers that `sequence` ended as `lifecycle`. If that makes more than
  /// `max_ranges` ranges, the lowest is forgotten with all below it.
  void note(std::uint64_t sequence, work_lifecycle lifecycle,
            std::size_t max_ranges);

  /// Returns how the work ended, or nothing if that was forgotten.
  /// @pre the work has ended
  [[nodiscard]] std::optional<work_lifecycle>
  find(std::uint64_t sequence) const;

  /// The lowest sequence that can still be answered.
  [[nodiscard]] std::uint64_t known_from() const noexcept {
    return known_from_;
  }

  [[nodiscard]] std::size_t ranges() const noexcept { return ranges_.size(); }

  /// Checks the invariants in O(n). For tests and audit builds.
  void audit() const;

private:
  struct range {
    std::uint64_t last = 0;
    work_lifecycle lifecycle = work_lifecycle::failed;
  };

  std::map<std::uint64_t, range> ranges_; // by first sequence
  std::uint64_t known_from_ = 0;
};

} // namespace turnstile
