#pragma once

#include <cstdint>

namespace turnstile::draft7 {

/// How much work a check may still be, in steps of some ten nanoseconds. A
/// schema of a few lines can ask for more work than there is time (`anyOf` of
/// references to `anyOf`), so everything that costs is paid for here first.
class effort {
public:
  explicit effort(std::uint64_t steps) noexcept : left_{steps} {}

  /// Pays for some steps. Returns whether they could be afforded; if not, the
  /// check has no outcome and nothing else can be afforded.
  bool spend(std::uint64_t steps = 1) noexcept {
    if (steps > left_)
      give_up("it takes too many steps");
    else
      left_ -= steps;
    return !gave_up();
  }

  /// Ends the check without an outcome. The first reason stays.
  void give_up(const char* reason) noexcept {
    if (!gave_up())
      reason_ = reason;
    left_ = 0;
  }

  [[nodiscard]] bool gave_up() const noexcept { return reason_ != nullptr; }

  /// Why, as a clause. Only after `gave_up()`.
  [[nodiscard]] const char* reason() const noexcept { return reason_; }

private:
  std::uint64_t left_;
  const char* reason_ = nullptr;
};

} // namespace turnstile::draft7
