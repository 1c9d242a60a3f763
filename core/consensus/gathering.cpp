#include "core/consensus/gathering.hpp"

#include "core/base/check.hpp"
#include "core/base/duration_text.hpp"

#include <algorithm>
#include <string>

namespace turnstile {

gathering::gathering(std::size_t ranks, std::size_t rank)
  : rank_(rank), said_(ranks), early_(ranks), strays_(ranks),
    strays_before_(ranks) {
  TURNSTILE_CHECK(rank < ranks);
}

void gathering::open(const frame& local) {
  TURNSTILE_CHECK(!open_);
  TURNSTILE_CHECK(place_of(local) > now_);
  if (local.epoch > now_.first)
    stopped_.reset(); // by whoever was there before
  now_ = place_of(local);
  open_ = true;
  for (std::size_t rank = 0; rank < said_.size(); ++rank) {
    said_[rank].reset();
    // A wrong frame may come before the round that it was meant for.
    strays_before_[rank] = std::exchange(strays_[rank], std::nullopt);
    take_early(rank);
  }
}

/// Takes out what was kept of the round that is open now, and drops what is
/// older than that.
void gathering::take_early(std::size_t rank) {
  auto& kept = early_[rank];
  for (auto& early : std::exchange(kept, {}))
    if (place_of(early) > now_)
      kept.push_back(std::move(early));
    else if (early.kind == frame_kind::poisoned && early.epoch == now_.first)
      note_farewell(rank, early);
    else if (place_of(early) == now_)
      said_[rank] = std::move(early);
}

gathering::arrival gathering::arrive(frame theirs) {
  const auto from = theirs.rank;
  return arrive(from, std::move(theirs));
}

gathering::arrival gathering::arrive(std::size_t from, frame theirs) {
  if (from >= said_.size())
    return arrival::refused;
  if (theirs.kind == frame_kind::poisoned && theirs.epoch == now_.first) {
    if (from == rank_)
      return arrival::refused; // this rank knows
    note_farewell(from, theirs);
    return arrival::farewell;
  }
  const auto when = place_of(theirs);
  if (when != now_ && !strays_[from])
    strays_[from] = when;
  if (when > now_)
    return keep(from, std::move(theirs));
  if (when < now_ || !open_)
    return arrival::late;
  auto& said = said_[from];
  if (said) {
    if (!strays_[from])
      strays_[from] = when;
    return arrival::doubled;
  }
  said = std::move(theirs);
  return arrival::taken;
}

gathering::arrival gathering::keep(std::size_t from, frame&& theirs) {
  auto& kept = early_[from];
  const auto at =
    std::find_if(kept.begin(), kept.end(), [&](const frame& other) {
      return place_of(other) >= place_of(theirs);
    });
  if (at != kept.end() && place_of(*at) == place_of(theirs))
    return arrival::doubled;
  if (kept.size() >= max_early)
    return arrival::refused;
  kept.insert(at, std::move(theirs));
  return arrival::early;
}

void gathering::note_farewell(std::size_t from, const frame& theirs) {
  if (!stopped_)
    stopped_ = failure{errc::consensus, "rank " + std::to_string(from)
                                          + " had stopped before round "
                                          + std::to_string(theirs.round) + ": "
                                          + std::string{text_of(theirs, 0)}};
}

bool gathering::is_whole() const noexcept {
  return open_ && std::all_of(said_.begin(), said_.end(), [](const auto& said) {
           return said.has_value();
         });
}

std::vector<frame> gathering::take() {
  TURNSTILE_CHECK(is_whole());
  open_ = false;
  std::vector<frame> all;
  all.reserve(said_.size());
  for (auto& said : said_)
    all.push_back(std::move(*std::exchange(said, std::nullopt)));
  return all;
}

std::vector<std::size_t> gathering::missing() const {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; open_ && rank < said_.size(); ++rank)
    if (!said_[rank])
      ranks.push_back(rank);
  return ranks;
}

failure gathering::lost(duration waited) const {
  std::string who;
  std::string strays;
  for (auto rank : missing()) {
    who += who.empty() ? "rank " : ", rank ";
    who += std::to_string(rank);
    strays += strays_of(rank);
  }
  return {errc::rank_lost, who + " did not answer in round "
                             + std::to_string(now_.second) + " within "
                             + duration_text(waited) + strays};
}

/// What a missing rank has said instead.
std::string gathering::strays_of(std::size_t rank) const {
  const auto& stray = strays_[rank] ? strays_[rank] : strays_before_[rank];
  if (!stray)
    return {};
  const auto [epoch, round] = *stray;
  auto differs = [&](const char* field, std::uint64_t there,
                     std::uint64_t here) {
    return "; rank " + std::to_string(rank) + " differs in round "
           + std::to_string(now_.second) + ": " + field + " is "
           + std::to_string(there) + " there and " + std::to_string(here)
           + " here";
  };
  return epoch != now_.first ? differs("epoch", epoch, now_.first)
                             : differs("round", round, now_.second);
}

} // namespace turnstile
