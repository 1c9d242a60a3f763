#pragma once

#include "actors/node/plan_run.hpp"
#include "actors/node/run_desk.hpp"
#include "messages/node.pb.h"

#include <memory>
#include <string>

namespace turnstile::node {

/// Returns who tells `desk` what becomes of a run, whose plan it holds.
run_listener news_to(run_desk_actor desk, std::string run_id,
                     std::shared_ptr<const config::plan> plan);

/// How a task has ended, as it travels, and back. A status that only a newer
/// peer knows is `error`.
wire::TaskEnd to_wire(const task_result& task, std::size_t place);
void put(const wire::TaskEnd& end, task_result& into);

/// How a run has ended, without its tasks, and back.
wire::RunSummary to_wire(const run_result& run);
void put(const wire::RunSummary& summary, run_result& into);

} // namespace turnstile::node
