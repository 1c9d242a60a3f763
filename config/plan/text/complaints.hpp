#pragma once

#include "config/plan/text/source_text.hpp"
#include "core/base/error.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace turnstile::config {

/// Everything that is wrong with one plan. Readers add what they find and go
/// on, so that an author sees all mistakes at once; the loader asks at the end.
///
/// Invariants:
/// (1) What is said twice about one place is kept once.
/// (2) At most `max_kept` complaints are kept; `more_` tells of others.
class complaints {
public:
  /// How many complaints are told in full, and how many are remembered.
  static constexpr std::size_t max_told = 20;
  static constexpr std::size_t max_kept = 200;

  explicit complaints(source_text source) : source_(source) {}

  /// The text that the offsets point into.
  [[nodiscard]] const source_text& source() const noexcept { return source_; }

  /// Notes that something is wrong at `offset`.
  void add(std::size_t offset, std::string sentence,
           errc code = errc::invalid_plan);

  /// Returns whether a complaint at `offset` would be kept, so that nobody
  /// needs to think of good advice for one that is not.
  [[nodiscard]] bool hear(std::size_t offset) const;

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  /// Returns whether something is wrong in `[begin, end)` already.
  [[nodiscard]] bool touch(std::size_t begin, std::size_t end) const;

  /// Renders them in the order of the text, one a line, each with its place.
  /// The code is `not_built_yet` if there is nothing worse. Must not be empty.
  [[nodiscard]] failure to_failure() const;

private:
  struct complaint {
    std::size_t offset;
    std::string sentence;
    errc code;

    auto operator<=>(const complaint&) const = default;
  };

  source_text source_;
  std::set<complaint> all_;
  bool more_ = false;
};

} // namespace turnstile::config
