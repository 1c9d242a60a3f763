#include "config/plan/read/cycles.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::config {

namespace {

// Takes away what can be put in order. What is left needs something that is
// left, so that walking along needs from anywhere ends in a cycle.
class cycle_search {
public:
  explicit cycle_search(const needs_graph& needs)
    : needs_(needs), needed_by_(needs.size()), unmet_(needs.size()),
      done_(needs.size()) {
    for (std::size_t node = 0; node < needs.size(); ++node) {
      unmet_[node] = needs[node].size();
      for (const auto need : needs[node])
        needed_by_[need].push_back(node);
    }
    for (std::size_t node = 0; node < needs.size(); ++node)
      if (unmet_[node] == 0)
        settle(node);
  }

  // Returns a cycle and takes it away, or returns nothing.
  std::vector<std::size_t> next() {
    while (lowest_ < done_.size() && done_[lowest_])
      ++lowest_;
    if (lowest_ == done_.size())
      return {};
    auto cycle = walk_from(lowest_);
    for (const auto node : cycle)
      if (!done_[node])
        settle(node);
    return cycle;
  }

private:
  void settle(std::size_t first) {
    std::vector<std::size_t> settled{first};
    while (!settled.empty()) {
      const auto node = settled.back();
      settled.pop_back();
      if (done_[node])
        continue;
      done_[node] = true;
      for (const auto dependant : needed_by_[node])
        if (--unmet_[dependant] == 0)
          settled.push_back(dependant);
    }
  }

  [[nodiscard]] std::vector<std::size_t> walk_from(std::size_t node) const {
    std::vector<std::size_t> way;
    std::vector<bool> seen(done_.size());
    while (!seen[node]) {
      seen[node] = true;
      way.push_back(node);
      node = *std::find_if(needs_[node].begin(), needs_[node].end(),
                           [this](auto need) { return !done_[need]; });
    }
    way.erase(way.begin(), std::find(way.begin(), way.end(), node));
    std::rotate(way.begin(), std::min_element(way.begin(), way.end()),
                way.end());
    return way;
  }

  const needs_graph& needs_;
  needs_graph needed_by_;
  std::vector<std::size_t> unmet_;
  std::vector<bool> done_;
  std::size_t lowest_ = 0;
};

} // namespace

std::vector<std::vector<std::size_t>> find_cycles(const needs_graph& needs,
                                                  std::size_t max_cycles) {
  cycle_search search{needs};
  std::vector<std::vector<std::size_t>> cycles;
  while (cycles.size() < max_cycles) {
    auto cycle = search.next();
    if (cycle.empty())
      break;
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

} // namespace turnstile::config
