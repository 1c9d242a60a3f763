#pragma once

#include "core/consensus/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A group in which this rank is 0 and the others say what a test wrote down,
/// round by round; when nothing is left, they say the same as this one.
class scripted_group final : public rank_group {
public:
  /// What ranks say instead: all their words, as text.
  using words_of_ranks = std::map<std::size_t, std::string>;

  explicit scripted_group(std::size_t ranks) : ranks_(ranks) {}

  /// In the next round not yet planned all others agree.
  void agrees() { plan_.emplace_back(); }

  /// In the next round not yet planned these ranks say something else.
  void says(words_of_ranks words) { plan_.push_back(std::move(words)); }

  [[nodiscard]] std::size_t ranks() const override { return ranks_; }
  [[nodiscard]] std::size_t rank() const override { return 0; }

  result<std::optional<std::vector<frame>>>
  gather(const frame& local) override {
    asked.push_back(local);
    if (answers_later)
      return std::nullopt;
    return frames();
  }

  /// What all ranks say to the newest question.
  std::vector<frame> frames() {
    std::vector<frame> all(ranks_, asked.back());
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      all[rank].rank = rank;
    if (plan_.empty())
      return all;
    for (const auto& [rank, text] : plan_.front()) {
      std::istringstream in{text};
      all[rank].words.clear();
      for (std::uint64_t word = 0; in >> word;)
        all[rank].words.push_back(word);
      all[rank].length = all[rank].words.size();
    }
    plan_.pop_front();
    return all;
  }

  bool answers_later = false;
  std::vector<frame> asked; ///< Every question so far.

private:
  std::size_t ranks_;
  std::deque<words_of_ranks> plan_;
};

} // namespace turnstile
