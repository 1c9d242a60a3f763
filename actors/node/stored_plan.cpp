#include "actors/node/stored_plan.hpp"

#include "actors/agent/sha256.hpp"
#include "actors/node/plan_task.hpp"
#include "messages/translate.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace turnstile::node {

namespace {

template <class Map>
void copy(const config::environment& env, Map& into) {
  for (const auto& [key, value] : env)
    into[key] = value;
}

template <class Map>
config::environment environment_of(const Map& map) {
  return {map.begin(), map.end()};
}

void store(const config::prompt& prompt, wire::StoredTask& into) {
  for (const auto& piece : prompt) {
    auto& stored = *into.add_prompt();
    switch (piece.is) {
    case config::prompt_piece::type::literal:
      stored.set_text(piece.text);
      break;
    case config::prompt_piece::type::output:
      stored.set_output(piece.text);
      break;
    case config::prompt_piece::type::outputs:
      stored.set_outputs(piece.text);
      break;
    }
  }
}

config::prompt_piece piece_of(const wire::StoredPiece& stored) {
  using type = config::prompt_piece::type;
  if (stored.has_output())
    return {type::output, stored.output()};
  if (stored.has_outputs())
    return {type::outputs, stored.outputs()};
  return {type::literal, stored.text()};
}

void store(const config::backend_settings& backend, wire::StoredBackend& into) {
  into.set_name(backend.name);
  into.set_as_default(backend.is_default);
  if (backend.concurrency)
    into.set_concurrency(*backend.concurrency);
  for (const auto& word : backend.command)
    into.add_command(word);
  into.set_max_output(backend.max_output);
  copy(backend.env, *into.mutable_env());
  for (const auto& step : backend.script) {
    auto& stored = *into.add_script();
    stored.set_delay_ns(step.delay.count());
    switch (step.is) {
    case config::script_step::type::ok:
      stored.set_ok(step.output);
      break;
    case config::script_step::type::fail:
      stored.set_fail(static_cast<wire::BackendErrorKind>(step.error));
      break;
    case config::script_step::type::hang:
      stored.set_hang(true);
      break;
    }
  }
}

config::script_step step_of(const wire::StoredStep& stored) {
  config::script_step step;
  step.delay = duration{stored.delay_ns()};
  if (stored.has_fail()) {
    step.is = config::script_step::type::fail;
    step.error = static_cast<backend_error_kind>(stored.fail());
  } else if (stored.has_hang()) {
    step.is = config::script_step::type::hang;
  } else {
    step.output = stored.ok();
  }
  return step;
}

config::backend_settings backend_of(const wire::StoredBackend& stored) {
  config::backend_settings backend;
  backend.name = stored.name();
  backend.is_default = stored.as_default();
  if (stored.has_concurrency())
    backend.concurrency = stored.concurrency();
  backend.command.assign(stored.command().begin(), stored.command().end());
  backend.max_output = stored.max_output();
  backend.env = environment_of(stored.env());
  for (const auto& step : stored.script())
    backend.script.push_back(step_of(step));
  backend.is = backend.command.empty()
                 ? config::backend_settings::type::scripted
                 : config::backend_settings::type::process;
  return backend;
}

std::optional<duration> span(bool present, std::int64_t ns) {
  return present ? std::optional{duration{ns}} : std::nullopt;
}

template <class Text>
std::optional<std::string> text(bool present, const Text& value) {
  return present ? std::optional<std::string>{value} : std::nullopt;
}

config::task_settings task_of(const wire::StoredTask& stored) {
  const auto& from = stored.task();
  config::task_settings task;
  task.name = from.name();
  for (const auto& piece : stored.prompt())
    task.prompt.push_back(piece_of(piece));
  task.backend = text(from.has_backend(), from.backend());
  task.phase = from.phase_id();
  task.attempt_timeout =
    span(from.has_attempt_timeout_ns(), from.attempt_timeout_ns());
  task.idle_timeout = span(from.has_idle_timeout_ns(), from.idle_timeout_ns());
  task.deadline = span(from.has_deadline_ns(), from.deadline_ns());
  task.weight = stored.weight();
  task.tenant = stored.tenant();
  task.workdir = from.workdir();
  task.env = environment_of(from.env());
  task.output_schema =
    text(from.has_output_schema_json(), from.output_schema_json());
  task.model = text(from.has_model(), from.model());
  task.role = text(from.has_role(), from.role());
  task.description = text(from.has_description(), from.description());
  task.thread = text(from.has_thread_id(), from.thread_id());
  task.needs.assign(stored.needs().begin(), stored.needs().end());
  return task;
}

} // namespace

std::string version_of(const config::backend_settings& backend) {
  wire::StoredBackend what;
  store(backend, what);
  what.clear_as_default();
  what.clear_concurrency();
  // Maps have no order of their own.
  auto env =
    std::map<std::string, std::string>{what.env().begin(), what.env().end()};
  what.clear_env();
  auto bytes = what.SerializeAsString();
  for (const auto& [name, value] : env)
    bytes.append(name).append("=").append(value).append(1, '\0');
  return sha256_hex(bytes);
}

wire::StoredPlan to_stored(const config::plan& plan) {
  wire::StoredPlan stored;
  stored.set_run(plan.run);
  stored.set_quota(plan.quota);
  stored.set_concurrency(plan.concurrency);
  if (plan.deadline)
    stored.set_deadline_ns(plan.deadline->count());
  *stored.mutable_retry() = retry_of(plan.retry);
  if (plan.seed)
    stored.set_seed(*plan.seed);
  stored.set_memo(plan.memo);
  for (const auto& backend : plan.backends)
    store(backend, *stored.add_backends());
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
    const auto& task = plan.tasks[i];
    auto& into = *stored.add_tasks();
    *into.mutable_task() = task_without_prompt(plan, i);
    store(task.prompt, into);
    for (const auto& need : task.needs)
      into.add_needs(need);
    into.set_weight(task.weight);
    into.set_tenant(task.tenant);
  }
  for (const auto& [name, group] : plan.groups) {
    auto& into = (*stored.mutable_groups())[name];
    into.set_first(group.first);
    into.set_count(group.count);
  }
  return stored;
}

result<config::plan> from_stored(const wire::StoredPlan& stored) {
  config::plan plan;
  plan.run = stored.run();
  plan.quota = stored.quota();
  plan.concurrency = stored.concurrency();
  plan.deadline = span(stored.has_deadline_ns(), stored.deadline_ns());
  const auto& retry = stored.retry();
  plan.retry = {retry.max_retries(),
                duration{retry.initial_backoff_ns()},
                retry.multiplier(),
                duration{retry.max_backoff_ns()},
                retry.full_jitter() ? config::jitter_mode::full
                                    : config::jitter_mode::none,
                retry.schema_retry_max()};
  if (stored.has_seed())
    plan.seed = stored.seed();
  plan.memo = stored.memo();
  for (const auto& backend : stored.backends()) {
    if (backend.command().empty() && backend.script().empty())
      return fail(errc::invalid_plan,
                  "backend " + backend.name()
                    + " of the run in the journal is of a kind that this "
                      "version does not know");
    plan.backends.push_back(backend_of(backend));
  }
  for (const auto& task : stored.tasks())
    plan.tasks.push_back(task_of(task));
  for (const auto& [name, group] : stored.groups()) {
    if (group.first() + group.count() > plan.tasks.size())
      return fail(errc::journal_damaged,
                  "the run's plan in the journal has no tasks for " + name);
    plan.groups.emplace(name, config::task_group{group.first(), group.count()});
  }
  return plan;
}

} // namespace turnstile::node
