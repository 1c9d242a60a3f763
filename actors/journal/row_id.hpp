#pragma once

#include "core/base/check.hpp"

#include <cstdint>

namespace turnstile {

/// Where a row of a request or of a run's events stands: the owner's key above,
/// its place in the owner's order below. So what belongs together lies
/// together, is appended in order, and needs no index.
///
///     bit 63   62 .. 40         39 .. 0
///       0   |  owner's key  |  place in its order
///
/// The numbers live in files: never change the layout.
struct row_id {
  static constexpr int place_bits = 40;
  static constexpr std::int64_t max_place = (std::int64_t{1} << place_bits) - 1;
  static constexpr std::int64_t max_key = (std::int64_t{1} << 23) - 1;

  std::int64_t value = 0;

  /// @pre both are within their bounds
  static row_id of(std::int64_t key, std::uint64_t place) {
    TURNSTILE_CHECK(key >= 0 && key <= max_key);
    TURNSTILE_CHECK(place <= static_cast<std::uint64_t>(max_place));
    return {(key << place_bits) | static_cast<std::int64_t>(place)};
  }

  [[nodiscard]] std::int64_t key() const noexcept {
    return value >> place_bits;
  }
  [[nodiscard]] std::uint64_t place() const noexcept {
    return static_cast<std::uint64_t>(value & max_place);
  }

  /// The last row that the owner can have.
  static row_id last(std::int64_t key) {
    return of(key, static_cast<std::uint64_t>(max_place));
  }

  friend bool operator==(const row_id&, const row_id&) = default;
};

} // namespace turnstile
