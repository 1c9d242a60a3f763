#pragma once

#include "core/base/hash.hpp"

#include <cstdint>

namespace turnstile {

/// Chance as a value: the same seed draws the same numbers, on every machine
/// and in every run. The generator is splitmix64 (Steele, Lea, Flood 2014);
/// good enough for jitter, and no secret.
class random_source {
public:
  explicit random_source(std::uint64_t seed = 0) : state_(seed) {}

  /// Draws 64 bits.
  std::uint64_t draw() noexcept {
    state_ += 0x9E3779B97F4A7C15U;
    return mix(state_);
  }

  /// Draws a number from [0, 1), of 53 bits.
  double draw_unit() noexcept {
    return static_cast<double>(draw() >> 11) * 0x1.0p-53;
  }

private:
  std::uint64_t state_;
};

} // namespace turnstile
