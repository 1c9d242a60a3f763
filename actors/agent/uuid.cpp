#include "actors/agent/uuid.hpp"

#include "core/base/hash.hpp"
#include "core/base/stable_hash.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace turnstile {

namespace {

std::string uuid_of(std::uint64_t ms, std::uint64_t first,
                    std::uint64_t second) {
  const auto high = (ms << 16) | 0x7000U | (first & 0x0FFFU);
  const auto low = (second >> 2) | 0x8000000000000000U;
  std::array<char, 37> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx",
                static_cast<unsigned>(high >> 32),
                static_cast<unsigned>((high >> 16) & 0xFFFFU),
                static_cast<unsigned>(high & 0xFFFFU),
                static_cast<unsigned>(low >> 48),
                static_cast<unsigned long long>(low & 0xFFFFFFFFFFFFU));
  return text.data();
}

} // namespace

std::string make_uuid() {
  static thread_local std::mt19937_64 chance{
    (std::uint64_t{std::random_device{}()} << 32) ^ std::random_device{}()};
  const auto ms = static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch())
      .count());
  const auto first = chance();
  return uuid_of(ms, first, chance());
}

std::string uuid_within(const std::string& run_id, const std::string& name) {
  auto digits = run_id.substr(0, 13);
  std::erase(digits, '-');
  const auto ms = std::strtoull(digits.c_str(), nullptr, 16);
  return uuid_of(ms, mix(stable_hash(name + "\n" + run_id)),
                 mix(stable_hash(run_id + "\n" + name)));
}

} // namespace turnstile
