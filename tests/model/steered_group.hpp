#pragma once

#include "core/consensus/frame.hpp"
#include "tests/model/naive_scheduler.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace turnstile::model {

/// The other ranks: they answer as this one does, but for what `plan` says.
class steered_group final : public rank_group {
public:
  steered_group(group_plan plan, steering& world)
    : plan_(plan), world_(&world) {}

  [[nodiscard]] std::size_t ranks() const override { return plan_.ranks; }
  [[nodiscard]] std::size_t rank() const override { return 0; }

  result<std::optional<std::vector<frame>>>
  gather(const frame& local) override {
    static constexpr const char* kinds[] = {"?", "observation", "schedule",
                                            "disposition"};
    auto line = std::string{"gather "} + kinds[static_cast<int>(local.kind)];
    for (auto word : local.words)
      line += ' ' + std::to_string(word);
    world_->note(line);
    asked_ = local;
    if (plan_.later)
      return std::optional<std::vector<frame>>{};
    auto frames = answer(plan_.answer);
    if (!frames)
      return fail(frames.error());
    return std::optional{std::move(*frames)};
  }

  /// What the ranks say to the frame that they were given last.
  [[nodiscard]] result<std::vector<frame>>
  answer(group_plan::reply reply) const {
    auto all = std::move(**mirror_group{plan_.ranks}.gather(asked_));
    if (asked_.kind == frame_kind::observation)
      for (std::size_t rank = 1; rank < all.size(); ++rank)
        skew(all[rank].words);
    switch (reply) {
    case group_plan::reply::frames:
      break;
    case group_plan::reply::fails:
      return fail(errc::consensus, "a rank is gone");
    case group_plan::reply::too_few:
      all.pop_back();
      break;
    case group_plan::reply::differs:
      all.back().words.front() += 1;
    }
    return all;
  }

private:
  /// Per work: request, life, sequence, what was seen.
  void skew(std::vector<std::uint64_t>& words) const {
    const auto works_at = 1 + words[0];
    for (std::uint64_t work = 0; work < words[works_at]; ++work) {
      const auto sequence = words[works_at + 4 * work + 3];
      auto& saw = words[works_at + 4 * work + 4];
      if (plan_.seen == group_plan::skew::lags)
        saw = 0;
      else if (plan_.seen == group_plan::skew::all_done)
        saw = 1;
      else if (plan_.seen == group_plan::skew::odd_failed && sequence % 2 == 1)
        saw = 2;
    }
  }

  group_plan plan_;
  steering* world_;
  frame asked_;
};

} // namespace turnstile::model
