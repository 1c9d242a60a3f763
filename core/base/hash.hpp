#pragma once

#include "core/base/ids.hpp"

#include <cstddef>
#include <cstdint>

namespace turnstile {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): spreads neighbouring
/// numbers, which callers love to use as ids, over the whole range.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// For standard containers: `std::unordered_map<work_id, T, id_hash>`.
struct id_hash {
  std::size_t operator()(request_id id) const noexcept {
    return mix(id.value + 0x9E3779B97F4A7C15U);
  }

  std::size_t operator()(const work_id& id) const noexcept {
    return mix(mix((*this)(id.request) ^ id.sequence) ^ id.life);
  }
};

} // namespace turnstile
