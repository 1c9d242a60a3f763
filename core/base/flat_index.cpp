#include "core/base/flat_index.hpp"

#include "core/base/check.hpp"
#include "core/base/hash.hpp"
#include "core/base/touch.hpp"

#include <utility>

namespace turnstile {

std::size_t flat_index::home(key k) const noexcept {
  return mix(mix(k.high + 0x9E3779B97F4A7C15U) ^ k.low) & (cells_.size() - 1);
}

std::size_t flat_index::next(std::size_t at) const noexcept {
  return (at + 1) & (cells_.size() - 1);
}

std::size_t flat_index::locate(key k) const {
  auto at = home(k);
  for (touch(); cells_[at].used && cells_[at].k != k; touch())
    at = next(at);
  return at;
}

void flat_index::insert(key k, std::uint32_t slot) {
  if ((size_ + 1) * 3 > cells_.size() * 2)
    grow();
  auto& found = cells_[locate(k)];
  TURNSTILE_CHECK(!found.used);
  found = {k, slot, true};
  ++size_;
}

std::optional<std::uint32_t> flat_index::find(key k) const {
  if (size_ == 0)
    return std::nullopt;
  const auto& found = cells_[locate(k)];
  if (!found.used)
    return std::nullopt;
  return found.slot;
}

void flat_index::replace(key k, std::uint32_t slot) {
  TURNSTILE_CHECK(size_ > 0);
  auto& found = cells_[locate(k)];
  TURNSTILE_CHECK(found.used);
  found.slot = slot;
}

void flat_index::erase(key k) {
  TURNSTILE_CHECK(size_ > 0);
  auto hole = locate(k);
  TURNSTILE_CHECK(cells_[hole].used);
  // Pull every later entry of the run back that may stand at the hole: those
  // whose home is not between the hole and themselves.
  for (auto at = next(hole); cells_[at].used; at = next(at)) {
    touch();
    auto distance_home = (at - home(cells_[at].k)) & (cells_.size() - 1);
    auto distance_hole = (at - hole) & (cells_.size() - 1);
    if (distance_home >= distance_hole) {
      cells_[hole] = cells_[at];
      hole = at;
    }
  }
  cells_[hole] = {};
  --size_;
}

void flat_index::grow() {
  auto old = std::exchange(
    cells_, std::vector<cell>(cells_.empty() ? 16 : cells_.size() * 2));
  for (const auto& entry : old)
    if (entry.used)
      cells_[locate(entry.k)] = entry;
}

void flat_index::audit() const {
  TURNSTILE_CHECK(size_ * 3 <= cells_.size() * 2);
  std::size_t used = 0;
  for (std::size_t at = 0; at < cells_.size(); ++at) {
    if (!cells_[at].used)
      continue;
    ++used;
    for (auto from = home(cells_[at].k); from != at; from = next(from))
      TURNSTILE_CHECK(cells_[from].used);
  }
  TURNSTILE_CHECK(used == size_);
}

} // namespace turnstile
