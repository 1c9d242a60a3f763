#pragma once

#include "actors/node/plan_run.hpp"
#include "actors/process/process_host.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace turnstile::node {

/// The terms under which a plan's run is registered.
wire::RunTerms terms_of(const config::plan& plan, const std::string& run_id);

wire::RetryTerms retry_of(const config::retry_settings& retry);

/// What a task of the plan asks of its backend, whatever its needs have said.
wire::AgentTask task_without_prompt(const config::plan& plan,
                                    std::size_t place);

/// A task of the plan as its backend gets it, with what it needs filled into
/// its prompt. Its agent id is left open.
wire::AgentTask task_message(const config::plan& plan, std::size_t place,
                             const run_result& so_far);

/// Spawns backends as a plan or a node's settings describe them.
backend_set
spawn_backends(caf::actor_system& system,
               const std::vector<config::backend_settings>& described,
               std::shared_ptr<process_host> host, duration grace);

} // namespace turnstile::node
