#pragma once

#include "actors/agent/agent_scheduler.hpp"
#include "actors/node/plan_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/progress_line.hpp"
#include "actors/testing/still_world.hpp"
#include "config/plan/load.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Words for tests about runs of plans: one run on virtual time.

namespace node_tests {

using namespace turnstile;
using namespace turnstile::node;
using namespace std::chrono_literals;

/// A plan with these tasks and backends for every occasion; the default one
/// takes 10ms. `keys` are further keys of the plan, each with a comma.
inline config::plan plan_of(std::string_view tasks,
                            std::string_view keys = R"("concurrency": 8,)") {
  auto made = config::parse_plan("{" + std::string{keys} + R"("run": "test",
      "backends": {
        "fine": {"kind": "scripted", "script": [{"ok": 1, "delay": "10ms"}]},
        "slow": {"kind": "scripted", "script": [{"ok": "s", "delay": "50ms"}]},
        "bad": {"kind": "scripted", "script": [{"fail": "config"}]},
        "hang": {"kind": "scripted", "script": [{"hang": true}]},
        "narrow": {"kind": "scripted", "concurrency": 2,
                   "script": [{"ok": 2, "delay": "100ms"}]}
      },
      "tasks": [)" + std::string{tasks}
                                   + "]}",
                                 "plan.json", "/plans");
  INFO((made ? "" : made.error().detail));
  REQUIRE(made.has_value());
  return *std::move(made);
}

/// A run of a plan, and all that it tells.
class plan_world {
public:
  explicit plan_world(config::plan what) : plan(std::move(what)) {
    agent_scheduler_options options;
    options.concurrency = plan.concurrency;
    options.backends =
      spawn_backends(still.system(), plan.backends, nullptr, 0s);
    backends = options.backends;
    scheduler = spawn_agent_scheduler(still.system(), options).value();
    run = spawn_plan_run(
      still.system(), plan, scheduler,
      {[this](const run_progress& progress, const task_result& task) {
         told.push_back(task_line(progress, task));
         figures.push_back(progress_line(progress, 0s, 200));
       },
       [this](run_result how) {
         CHECK_FALSE(result.has_value()); // told once
         result = std::move(how);
       }});
  }

  plan_world(const plan_world&) = delete;

  /// Actors that know each other would outlive the world.
  ~plan_world() {
    still.kill(run);
    still.kill(scheduler);
    for (const auto& [name, backend] : backends.by_name)
      still.kill(backend);
  }

  /// Begins, and lets as much time pass.
  plan_world& run_for(duration span) {
    anon_mail(run_atom_v).send(run);
    still.advance(span);
    return *this;
  }

  void cancel() {
    anon_mail(wire::CancelRequest{}).send(run);
    still.settle();
  }

  /// How all tasks ended, in plan order, a line each.
  std::string ends() {
    if (!result)
      return "not ended";
    std::string all;
    for (const auto& task : result->tasks)
      all += (all.empty() ? "" : "\n") + task.name + ' '
             + to_string(task.status) + ' '
             + (task.why ? to_string(*task.why)
                         : task.record.result().output_json());
    return all;
  }

  testing::still_world_of<caf::id_block::turnstile,
                          caf::id_block::turnstile_handles>
    still;
  config::plan plan;
  backend_set backends;
  scheduler_actor scheduler;
  plan_run_actor run;
  std::vector<std::string> told;
  std::vector<std::string> figures;
  std::optional<run_result> result;
};

} // namespace node_tests
