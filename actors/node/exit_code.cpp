#include "actors/node/exit_code.hpp"

#include <algorithm>

namespace turnstile::node {

int exit_code(const run_result& run, bool interrupted) {
  if (run.cancelled)
    return interrupted ? exit_interrupted : exit_cancelled;
  const auto all_ok =
    std::all_of(run.tasks.begin(), run.tasks.end(), [](const auto& task) {
      return task.status == task_status::ok;
    });
  return all_ok ? exit_ok : exit_tasks_failed;
}

} // namespace turnstile::node
