#pragma once

#include <cstdint>
#include <string_view>

namespace turnstile {

/// Hashes bytes: the same ones give the same number on every machine, with
/// every standard library and in every run, which `std::hash` does not promise.
/// For seeds; no secret, and no checksum. FNV-1a, 64 bits (Fowler, Noll, Vo).
constexpr std::uint64_t stable_hash(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return hash;
}

} // namespace turnstile
