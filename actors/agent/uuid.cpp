#include "actors/agent/uuid.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <random>

namespace turnstile {

std::string make_uuid() {
  static thread_local std::mt19937_64 chance{
    (std::uint64_t{std::random_device{}()} << 32) ^ std::random_device{}()};
  const auto ms = static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch())
      .count());
  const auto high = (ms << 16) | 0x7000U | (chance() & 0x0FFFU);
  const auto low = (chance() >> 2) | 0x8000000000000000U;
  std::array<char, 37> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx",
                static_cast<unsigned>(high >> 32),
                static_cast<unsigned>((high >> 16) & 0xFFFFU),
                static_cast<unsigned>(high & 0xFFFFU),
                static_cast<unsigned>(low >> 48),
                static_cast<unsigned long long>(low & 0xFFFFFFFFFFFFU));
  return text.data();
}

} // namespace turnstile
