#pragma once

#include "actors/node/plan_run.hpp"
#include "actors/node/standard_streams.hpp"

#include <chrono>
#include <cstddef>

namespace turnstile::node {

/// Where people see how far a run is: one line on standard error that is
/// written over on a terminal, a line per task elsewhere.
class progress_display {
public:
  explicit progress_display(bool quiet);

  /// Whether there is a line that is written over.
  [[nodiscard]] bool live() const noexcept { return !quiet_ && live_; }

  void begin(std::size_t tasks);
  void task_ended(const run_progress& progress, const task_result& task);

  /// Wipes the line.
  void end() const;

private:
  void show(const run_progress& progress) const;

  bool quiet_;
  bool live_;
  std::chrono::steady_clock::time_point begun_ =
    std::chrono::steady_clock::now();
};

} // namespace turnstile::node
