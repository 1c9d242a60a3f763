#include "actors/node/exit_code.hpp"

#include "tests/catch.hpp"

#include <tuple>

using namespace turnstile::node;

TEST_CASE("the exit code says how a run ended", "[actors][node]") {
  auto [status, cancelled, interrupted, code] =
    GENERATE(table<task_status, bool, bool, int>({
      {task_status::ok, false, false, 0},
      {task_status::error, false, false, 1},
      {task_status::skipped, false, false, 1},
      {task_status::timed_out, false, false, 1},
      {task_status::cancelled, true, false, 3},
      {task_status::cancelled, true, true, 5},
      // A signal after the last end leaves nothing to resume.
      {task_status::ok, false, true, 0},
      {task_status::error, false, true, 1},
    }));
  run_result run;
  run.tasks.resize(2);
  run.tasks[0].status = task_status::ok;
  run.tasks[1].status = status;
  run.cancelled = cancelled;
  CHECK(exit_code(run, interrupted) == code);
}
