#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>

namespace turnstile {

/// How many tasks a run may submit. Retries are free, and a refusal is an
/// answer: it is never counted (decision A2).
///
/// Invariant: `used() <= limit()`.
class quota {
public:
  /// A limit of zero refuses everything.
  explicit quota(std::uint32_t limit = 1000) : limit_(limit) {}

  /// Whether one more would be admitted: `quota_exceeded` if not.
  [[nodiscard]] status check() const {
    if (used_ < limit_)
      return {};
    return fail(errc::quota_exceeded,
                "quota exceeded: limit=" + std::to_string(limit_)
                  + ", used=" + std::to_string(used_));
  }

  /// Uses one up, or says that none is left.
  status take() {
    auto may = check();
    if (may)
      ++used_;
    return may;
  }

  /// Gives one back that was taken for nothing. @pre one was taken
  void give_back() { --used_; }

  [[nodiscard]] std::uint32_t limit() const noexcept { return limit_; }
  [[nodiscard]] std::uint32_t used() const noexcept { return used_; }

private:
  std::uint32_t limit_;
  std::uint32_t used_ = 0;
};

} // namespace turnstile
