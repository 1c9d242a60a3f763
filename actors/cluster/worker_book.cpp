#include "actors/cluster/worker_book.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <utility>

namespace turnstile {

void worker_book::join(std::uint64_t link, const wire::Hello& hello) {
  auto& made = workers_[link];
  made.name = hello.name();
  made.incarnation = hello.incarnation();
  made.version = hello.version();
  for (const auto& offered : hello.backends()) {
    made.offers.insert_or_assign(
      offered.terms().name(), offer{offered.terms().concurrency(), 0, offered});
    lines_[offered.terms().name()];
  }
}

std::vector<submission_key> worker_book::leave(std::uint64_t link) {
  auto gone = workers_.extract(link);
  if (!gone)
    return {};
  const auto& had = gone.mapped().has;
  for (const auto& key : had)
    at_.erase(key);
  return {had.begin(), had.end()};
}

void worker_book::retire(std::uint64_t link) {
  if (auto found = workers_.find(link); found != workers_.end())
    found->second.leaving = true;
}

bool worker_book::knows(std::uint64_t link) const {
  return workers_.contains(link);
}

bool worker_book::is_done(std::uint64_t link) const {
  const auto found = workers_.find(link);
  return found != workers_.end() && found->second.leaving
         && found->second.has.empty();
}

std::optional<std::uint64_t> worker_book::put(const submission_key& key,
                                              const std::string& backend) {
  if (!is_offered(backend))
    return std::nullopt;
  auto& where = at_[key];
  where = place{0, backend, false};
  auto& line = lines_[backend];
  const auto best = line.empty() ? best_for(backend) : 0;
  if (best != 0) {
    give(key, where, best);
    return best;
  }
  line.emplace(++arrivals_, key);
  waits_at_.emplace(key, arrivals_);
  return 0;
}

std::optional<worker_book::place> worker_book::take(const submission_key& key) {
  auto found = at_.extract(key);
  if (!found)
    return std::nullopt;
  auto where = std::move(found.mapped());
  if (auto waits = waits_at_.extract(key)) {
    lines_[where.backend].erase(waits.mapped());
    return where;
  }
  auto& had = workers_.at(where.link);
  had.has.erase(key);
  if (!where.parked)
    --had.offers.at(where.backend).taken;
  return where;
}

const worker_book::place* worker_book::find(const submission_key& key) const {
  const auto found = at_.find(key);
  return found == at_.end() ? nullptr : &found->second;
}

void worker_book::set_parked(const submission_key& key, bool parked) {
  auto found = at_.find(key);
  if (found == at_.end() || found->second.link == 0
      || std::exchange(found->second.parked, parked) == parked)
    return;
  auto& taken =
    workers_.at(found->second.link).offers.at(found->second.backend).taken;
  taken = parked ? taken - 1 : taken + 1;
}

std::optional<worker_book::placed>
worker_book::place_next(const std::string& backend) {
  auto& line = lines_[backend];
  const auto best = line.empty() ? 0 : best_for(backend);
  if (best == 0)
    return std::nullopt;
  const auto key = line.begin()->second;
  line.erase(line.begin());
  waits_at_.erase(key);
  give(key, at_.at(key), best);
  return placed{key, best};
}

std::vector<submission_key>
worker_book::take_hopeless(const std::string& backend) {
  std::vector<submission_key> all;
  if (is_offered(backend))
    return all;
  for (const auto& [when, key] : std::exchange(lines_[backend], {})) {
    waits_at_.erase(key);
    at_.erase(key);
    all.push_back(key);
  }
  return all;
}

std::uint64_t worker_book::slots(const std::string& backend) const {
  std::uint64_t all = 0;
  for (const auto& [link, one] : workers_)
    if (const auto offered = one.offers.find(backend);
        !one.leaving && offered != one.offers.end())
      all += offered->second.slots;
  return all;
}

std::vector<std::string> worker_book::offered_by(std::uint64_t link) const {
  std::vector<std::string> all;
  if (const auto found = workers_.find(link); found != workers_.end())
    for (const auto& [backend, offered] : found->second.offers)
      all.push_back(backend);
  return all;
}

std::vector<std::string> worker_book::backends() const {
  std::vector<std::string> all;
  for (const auto& [backend, line] : lines_)
    all.push_back(backend);
  return all;
}

wire::BackendCapabilities worker_book::able(const std::string& backend) const {
  for (const auto& [link, one] : workers_)
    if (const auto offered = one.offers.find(backend);
        offered != one.offers.end())
      return offered->second.what.able();
  return {};
}

wire::BackendTerms worker_book::terms(const std::string& backend) const {
  wire::BackendTerms all;
  for (const auto& [link, one] : workers_)
    if (const auto offered = one.offers.find(backend);
        offered != one.offers.end()) {
      all = offered->second.what.terms();
      break;
    }
  all.set_name(backend);
  all.clear_as_default();
  all.clear_concurrency();
  const auto together = slots(backend);
  all.set_closed(together == 0);
  if (together > 0)
    all.set_concurrency(together);
  return all;
}

std::vector<wire::WorkerStatus> worker_book::look() const {
  std::vector<wire::WorkerStatus> all;
  for (const auto& [link, one] : workers_) {
    auto& seen = all.emplace_back();
    seen.set_name(one.name);
    seen.set_incarnation(one.incarnation);
    seen.set_version(one.version);
    seen.set_leaving(one.leaving);
    for (const auto& [backend, offered] : one.offers) {
      auto& entry = *seen.add_backends();
      *entry.mutable_terms() = offered.what.terms();
      *entry.mutable_capabilities() = offered.what.able();
      entry.set_executing(offered.taken);
    }
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.name() < b.name(); });
  return all;
}

void worker_book::audit() const {
  std::size_t placed = 0;
  for (const auto& [link, one] : workers_) {
    std::map<std::string, std::uint64_t> taken;
    for (const auto& key : one.has) {
      const auto& where = at_.at(key);
      TURNSTILE_CHECK(where.link == link);
      taken[where.backend] += where.parked ? 0 : 1;
    }
    placed += one.has.size();
    for (const auto& [backend, offered] : one.offers) {
      const auto seen = taken.find(backend);
      TURNSTILE_CHECK(offered.taken
                      == (seen == taken.end() ? 0 : seen->second));
    }
  }
  TURNSTILE_CHECK(at_.size() == placed + waits_at_.size());
  for (const auto& [backend, line] : lines_) {
    TURNSTILE_CHECK(line.empty() || best_for(backend) == 0);
    for (const auto& [when, key] : line)
      TURNSTILE_CHECK(at_.at(key).link == 0 && waits_at_.at(key) == when);
  }
}

std::uint64_t worker_book::best_for(const std::string& backend) const {
  std::uint64_t best = 0;
  const offer* chosen = nullptr;
  // Shares are compared as products, which are exact: a/b < c/d is ad < cb.
  auto is_freer = [](const offer& a, const offer& b) {
    const auto left = a.taken * b.slots;
    const auto right = b.taken * a.slots;
    return left != right ? left < right : a.slots > b.slots;
  };
  for (const auto& [link, one] : workers_) {
    const auto offered = one.offers.find(backend);
    if (one.leaving || offered == one.offers.end()
        || offered->second.taken >= offered->second.slots)
      continue;
    if (chosen == nullptr || is_freer(offered->second, *chosen)) {
      chosen = &offered->second;
      best = link;
    }
  }
  return best;
}

bool worker_book::is_offered(const std::string& backend) const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const auto& one) {
    return !one.second.leaving && one.second.offers.contains(backend);
  });
}

void worker_book::give(const submission_key& key, place& where,
                       std::uint64_t link) {
  auto& taker = workers_.at(link);
  where.link = link;
  taker.has.insert(key);
  ++taker.offers.at(where.backend).taken;
}

} // namespace turnstile
