#include "actors/node/run_show.hpp"

#include "actors/node/exit_code.hpp"
#include "actors/node/print.hpp"
#include "actors/node/run_json.hpp"
#include "actors/node/run_summary.hpp"
#include "actors/node/standard_streams.hpp"

#include <unistd.h>

namespace turnstile::node {

int show(const run_result& result, const config::plan& plan, bool as_json,
         bool interrupted) {
  const auto printed = print(
    as_json ? to_json(result) : to_text(result, plan, look_of(STDOUT_FILENO)));
  const auto code = exit_code(result, interrupted);
  return code == exit_ok && !printed ? exit_tasks_failed : code;
}

} // namespace turnstile::node
