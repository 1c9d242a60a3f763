#pragma once

#include "core/base/result.hpp"

#include <optional>
#include <string>

namespace turnstile {

/// Remembers the first reason for which the scheduler must not go on. Only
/// looking and draining are allowed once it is set, until the ranks that it
/// belongs to are formed anew.
class poison_latch {
public:
  /// Sets the latch. The first reason stays.
  void set(std::string reason) {
    if (!reason_)
      reason_ = std::move(reason);
  }

  /// Appends what went wrong while cleaning up. @pre `is_set()`
  void add(const std::string& detail) { reason_->append("; ").append(detail); }

  /// Lets the scheduler go on: its group has been re-formed.
  void clear() noexcept { reason_.reset(); }

  [[nodiscard]] bool is_set() const noexcept { return reason_.has_value(); }
  [[nodiscard]] const std::optional<std::string>& reason() const noexcept {
    return reason_;
  }

  /// Whether a verb that changes something may go on.
  [[nodiscard]] status check() const {
    if (reason_)
      return fail(errc::poisoned, "the scheduler is poisoned: " + *reason_);
    return {};
  }

private:
  std::optional<std::string> reason_;
};

} // namespace turnstile
