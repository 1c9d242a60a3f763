#pragma once

#include "core/consensus/frame.hpp"
#include "core/turn/scheduler.hpp"
#include "tests/conformance/harness_program.hpp"
#include "tests/conformance/words.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::conformance {

/// A group whose other ranks answer as this one does, but only when the script
/// says so.
class later_group final : public rank_group {
public:
  explicit later_group(std::size_t ranks) : ranks_(ranks) {}

  [[nodiscard]] std::size_t ranks() const override { return ranks_; }
  [[nodiscard]] std::size_t rank() const override { return 0; }
  result<std::optional<std::vector<frame>>>
  gather(const frame& local) override {
    asked = local;
    return std::nullopt;
  }

  frame asked; ///< The newest round's word of this rank.

private:
  std::size_t ranks_;
};

/// Everything a script acts on: one scheduler, and around it the backends,
/// faults and ranks that the script commands.
class world {
public:
  using core = scheduler<harness_program>;
  using outcome = core::outcome;

  /// What the executor does with a submission.
  struct plan {
    bool refuses = false;
    bool throws = false;
    std::string message;
    handle::stage stage = handle::stage::pending;
    std::string backend;
    bool preemptible = false;
    std::uint64_t resources = 0;
  };

  world() { reset(scheduler_settings{}); }

  /// Begins anew. @pre `settings.limits` are valid
  void reset(const scheduler_settings& settings);

  /// The scheduler's executor: follows the plans and notes its calls.
  auto executor() {
    return
      [this](const submission& what, const harness_work& work,
             harness_branch& branch) { return execute(what, work, branch); };
  }

  /// The identity that a script's name of a work stands for; one that nothing
  /// has if there is none.
  [[nodiscard]] work_id newest(const work_key& key) const;

  /// Makes `out` what the op `rows` prints, and, unless the script keeps them,
  /// takes the last states out of the rows that end a request.
  void look_at(const outcome& out);

  /// Returns the executor's calls since the last time.
  std::vector<work_id> take_calls() { return std::exchange(calls_, {}); }

  core& under_test() { return *under_test_; }

  std::map<work_key, plan> plans;
  plan default_plan;
  std::map<work_key, std::shared_ptr<handle>> handles;
  fault_plan faults;
  std::unique_ptr<rank_group> group;
  std::string last_rows = "-";
  bool keep_states = false;

private:
  result<harness_output> execute(const submission& what,
                                 const harness_work& work,
                                 harness_branch& branch);

  std::optional<core> under_test_;
  std::vector<work_id> calls_;
};

} // namespace turnstile::conformance
