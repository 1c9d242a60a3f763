#pragma once

#include "core/turn/scheduler.hpp"
#include "tests/core/alice_and_bob.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace turnstile {

/// A transition that adds a number to its request's counter.
struct addition {
  std::uint32_t amount = 1;

  status encode_descriptor(std::vector<std::uint32_t>& words) const {
    words.push_back(amount);
    return {};
  }
};

/// A request's counter. A commit replaces it by the branch.
struct counter {
  using branch_type = std::uint64_t;

  std::uint64_t value = 0;
  bool parallel = false;

  [[nodiscard]] result<branch_type> branch() const { return value; }

  status commit_branch(branch_type branch) {
    value = branch;
    return {};
  }

  [[nodiscard]] bool permits_parallel_branches() const { return parallel; }
};

/// What a test says of one submission, whenever it likes.
struct lamp {
  enum class light : std::uint8_t { off, green, red };
  light shows = light::off;
};

/// The output that its backend promises: it can be asked for its lamp.
struct adder_output {
  std::shared_ptr<lamp> watched;

  [[nodiscard]] result<bool> is_complete() const {
    if (watched->shows == lamp::light::red)
      return fail(errc::completion, "the adder broke");
    return watched->shows == lamp::light::green;
  }

  [[nodiscard]] std::string backend_name() const { return "adder"; }
  [[nodiscard]] std::uint64_t retained_resources() const { return 3; }
};

struct counting {
  using work_type = addition;
  using state_type = counter;
  using output_type = adder_output;
};

using counting_scheduler = scheduler<counting>;

/// A backend that adds when it is given the work, and is done when told.
class adder {
public:
  /// Hands works in, as the scheduler's turns want it.
  auto executor() {
    return [this](const submission& what, const addition& work,
                  std::uint64_t& branch) -> result<adder_output> {
      order.push_back(to_string(what.id));
      if (refuses)
        return fail(errc::submission, "the adder is switched off");
      branch += work.amount;
      auto fresh = std::make_shared<lamp>(lamp{begins});
      lamps_[what.id] = fresh;
      return adder_output{fresh};
    };
  }

  void finishes(const work_id& id) {
    lamps_.at(id)->shows = lamp::light::green;
  }
  void breaks(const work_id& id) { lamps_.at(id)->shows = lamp::light::red; }

  bool refuses = false;
  lamp::light begins = lamp::light::off; ///< What new submissions show.
  std::vector<std::string> order;        ///< Every submission so far.

private:
  std::map<work_id, std::shared_ptr<lamp>> lamps_;
};

inline counting_scheduler counting_with(const scheduler_limits& limits) {
  scheduler_settings settings;
  settings.limits = limits;
  return *counting_scheduler::create(settings);
}

} // namespace turnstile
