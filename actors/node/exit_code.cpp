#include "actors/node/exit_code.hpp"

#include <string_view>

namespace turnstile::node {

int exit_code(const run_result& run, bool interrupted) {
  if (run.cancelled)
    return interrupted ? exit_interrupted : exit_cancelled;
  return std::string_view{status_word(run)} == "completed" ? exit_ok
                                                           : exit_tasks_failed;
}

} // namespace turnstile::node
