#include "actors/node/plan_task.hpp"

#include "actors/backend/process_backend.hpp"
#include "actors/node/json_text.hpp"
#include "actors/node/stored_plan.hpp"
#include "actors/testing/agent_steps.hpp"

#include <algorithm>
#include <utility>

namespace turnstile::node {

namespace {

/// What stands for a piece of a prompt: text as it is, JSON compact.
std::string answer(const config::prompt_piece& piece, const config::plan& plan,
                   const run_result& so_far) {
  if (piece.is == config::prompt_piece::type::output) {
    for (const auto& task : so_far.tasks)
      if (task.name == piece.text) {
        auto value = read_json(task.record.result().output_json());
        return value.is_string() ? value.get<std::string>() : write_json(value);
      }
    return "";
  }
  auto all = json::array();
  const auto& group = plan.groups.at(piece.text);
  for (std::size_t i = 0; i < group.count; ++i) {
    const auto& task = so_far.tasks[group.first + i];
    all.push_back({{"name", task.name},
                   {"status", to_string(task.status)},
                   {"output", read_json(task.record.result().output_json())}});
  }
  return write_json(all);
}

/// The backend that a task goes to.
const config::backend_settings& backend_meant(const config::plan& plan,
                                              std::size_t place) {
  const auto& wanted = plan.tasks[place].backend;
  return *std::find_if(
    plan.backends.begin(), plan.backends.end(), [&](const auto& backend) {
      return wanted ? backend.name == *wanted : backend.is_default;
    });
}

std::vector<testing::backend_step>
steps_of(const config::backend_settings& backend) {
  std::vector<testing::backend_step> steps;
  for (const auto& step : backend.script)
    switch (step.is) {
    case config::script_step::type::ok:
      steps.push_back(testing::ok(step.output, step.delay));
      break;
    case config::script_step::type::fail:
      steps.push_back(testing::fails(step.error, step.delay));
      break;
    case config::script_step::type::hang:
      steps.push_back(testing::hangs());
      break;
    }
  return steps;
}

} // namespace

wire::RetryTerms retry_of(const config::retry_settings& retry) {
  wire::RetryTerms terms;
  terms.set_max_retries(retry.max_retries);
  terms.set_initial_backoff_ns(retry.initial_backoff.count());
  terms.set_multiplier(retry.multiplier);
  terms.set_max_backoff_ns(retry.max_backoff.count());
  terms.set_full_jitter(retry.jitter == config::jitter_mode::full);
  terms.set_schema_retry_max(retry.schema_retry_max);
  return terms;
}

wire::RunTerms terms_of(const config::plan& plan, const std::string& run_id) {
  wire::RunTerms terms;
  terms.set_run_id(run_id);
  terms.set_name(plan.run);
  terms.set_quota(static_cast<std::uint32_t>(
    std::min<std::uint64_t>(plan.quota, UINT32_MAX)));
  *terms.mutable_retry() = retry_of(plan.retry);
  if (plan.deadline)
    terms.set_deadline_ns(plan.deadline->count());
  if (plan.seed)
    terms.set_seed(*plan.seed);
  terms.set_memo(plan.memo);
  return terms;
}

wire::AgentTask task_message(const config::plan& plan, std::size_t place,
                             const run_result& so_far) {
  auto message = task_without_prompt(plan, place);
  message.set_prompt(config::render(plan.tasks[place].prompt,
                                    [&](const config::prompt_piece& piece) {
                                      return answer(piece, plan, so_far);
                                    }));
  if (plan.memo)
    message.set_backend_version(version_of(backend_meant(plan, place)));
  return message;
}

wire::AgentTask task_without_prompt(const config::plan& plan,
                                    std::size_t place) {
  const auto& task = plan.tasks[place];
  wire::AgentTask message;
  message.set_name(task.name);
  message.set_agent_seq(static_cast<std::uint32_t>(place));
  message.set_phase_id(task.phase);
  message.set_workdir(task.workdir);
  if (task.backend)
    message.set_backend(*task.backend);
  if (task.attempt_timeout)
    message.set_attempt_timeout_ns(task.attempt_timeout->count());
  if (task.idle_timeout)
    message.set_idle_timeout_ns(task.idle_timeout->count());
  if (task.deadline)
    message.set_deadline_ns(task.deadline->count());
  if (task.output_schema)
    message.set_output_schema_json(*task.output_schema);
  if (task.model)
    message.set_model(*task.model);
  if (task.role)
    message.set_role(*task.role);
  if (task.description)
    message.set_description(*task.description);
  if (task.thread)
    message.set_thread_id(*task.thread);
  for (const auto& [key, value] : task.env)
    (*message.mutable_env())[key] = value;
  return message;
}

backend_set
spawn_backends(caf::actor_system& system,
               const std::vector<config::backend_settings>& described,
               std::shared_ptr<process_host> host, duration grace) {
  backend_set backends;
  for (const auto& backend : described) {
    gate_policy gate;
    gate.concurrency = backend.concurrency;
    if (backend.is == config::backend_settings::type::process) {
      process_backend_settings settings;
      settings.name = backend.name;
      settings.command = backend.command;
      settings.env = backend.env;
      settings.max_output = backend.max_output;
      settings.grace = grace;
      backends.add(backend.name,
                   spawn_process_backend(system, host, std::move(settings)),
                   gate);
    } else {
      backends.add(
        backend.name,
        backend_actor{turnstile::spawn<testing::scripted_backend_state>(
          system, backend.name, steps_of(backend))},
        gate);
    }
    if (backend.is_default)
      backends.default_name = backend.name;
  }
  return backends;
}

} // namespace turnstile::node
