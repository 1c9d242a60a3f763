#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace turnstile {

/// Finds a slot by a pair of numbers, in O(1), and allocates only when it
/// grows (`std::unordered_map` allocates per entry, which a transition may
/// not). Linear probing with backward-shift deletion: no tombstones, so a table
/// that is filled and emptied for years stays as fast as a new one.
///
/// Invariants:
/// (1) At most two thirds of the cells are used.
/// (2) Every cell between an entry's home and its place is used.
class flat_index {
public:
  struct key {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(const key&, const key&) = default;
  };

  /// Adds `k`. @pre `k` is not in the index
  void insert(key k, std::uint32_t slot);

  /// Returns the slot of `k`, or nothing.
  [[nodiscard]] std::optional<std::uint32_t> find(key k) const;

  /// Points `k` to another slot. @pre `k` is in the index
  void replace(key k, std::uint32_t slot);

  /// Removes `k`. @pre `k` is in the index
  void erase(key k);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Checks the invariants in O(n). For tests and audit builds.
  void audit() const;

private:
  struct cell {
    key k;
    std::uint32_t slot = 0;
    bool used = false;
  };

  [[nodiscard]] std::size_t home(key k) const noexcept;
  [[nodiscard]] std::size_t next(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t locate(key k) const;
  void grow();

  std::vector<cell> cells_;
  std::size_t size_ = 0;
};

} // namespace turnstile
