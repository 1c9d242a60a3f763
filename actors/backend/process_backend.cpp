#include "actors/backend/process_backend.hpp"

#include "actors/backend/answers.hpp"
#include "actors/backend/child_answer.hpp"
#include "actors/process/base_environment.hpp"

#include <algorithm>
#include <utility>

namespace turnstile {

process_backend_state::process_backend_state(
  process_backend_actor::pointer self, std::shared_ptr<process_host> host,
  process_backend_settings settings)
  : self_(self), host_(std::move(host)), settings_(std::move(settings)),
    own_(own_environment()) {}

process_backend_state::~process_backend_state() {
  inbox_->close();
  for (const auto& [key, child] : running_)
    host_->stop_now(child.ticket);
}

process_backend_actor::behavior_type process_backend_state::make_behavior() {
  return {
    [this](const wire::Execute& what) { return execute(what); },
    [this](const wire::CancelWork& which) { return cancel(which); },
    [this](const wire::BackendCapabilitiesQuery&) {
      wire::BackendCapabilities able;
      able.set_backend(settings_.name);
      able.set_physically_preemptible(true);
      return able;
    },
    [this](exited_atom) { settle_exits(); },
  };
}

caf::result<wire::Completed>
process_backend_state::execute(const wire::Execute& what) {
  auto key = key_of(what, "Execute.work_id");
  if (!key)
    return failed_with(what, key.error());
  if (running_.contains(*key))
    return failed_with(what, {errc::submission, "it is running already"});
  wire::AgentTask task;
  if (!task.ParseFromString(what.payload()))
    return failed_with(what,
                       {errc::invalid_argument,
                        "Execute.payload is no turnstile.wire.AgentTask"});
  // Asked for first, because the promise takes the sender out of the message.
  auto whose = caf::actor_cast<caf::actor>(self_->current_sender());
  owed_answer<wire::Completed> owed{self_};
  auto later = owed.later();
  process_callbacks callbacks;
  callbacks.on_exit = [inbox = inbox_, key = *key](process_exit exit) {
    inbox->push({key, std::move(exit)});
  };
  if (task.has_idle_timeout_ns())
    callbacks.on_progress = signs_of_life_for(what, whose);
  inbox_->open(process_backend_actor{self_});
  auto ticket =
    host_->start(spec_for(task, what.submission()), std::move(callbacks));
  auto client = monitor(self_, whose, [this, ticket](const caf::error&) {
    host_->stop(ticket, settings_.grace);
  });
  running_.emplace(*key, running{ticket, what, std::move(task), std::move(owed),
                                 std::vector<owed_answer<wire::Quiet>>{},
                                 std::move(client)});
  return later;
}

std::function<void(const process_progress&)>
process_backend_state::signs_of_life_for(const wire::Execute& what,
                                         const caf::actor& client) {
  auto sign = about<wire::Progress>(what);
  return
    [sign, client](const process_progress&) { anon_mail(sign).send(client); };
}

caf::result<wire::Quiet>
process_backend_state::cancel(const wire::CancelWork& which) {
  auto key = key_of(which, "CancelWork.work_id");
  auto found = key ? running_.find(*key) : running_.end();
  if (found == running_.end())
    return quiet_about(which);
  auto& child = found->second;
  child.owed_quiet.emplace_back(self_);
  host_->stop(child.ticket,
              which.at_once() ? duration::zero() : settings_.grace);
  return child.owed_quiet.back().later();
}

void process_backend_state::settle_exits() {
  for (auto& [key, exit] : inbox_->take()) {
    auto found = running_.extract(key);
    if (!found)
      continue;
    auto& child = found.mapped();
    child.client.dispose();
    auto answer = answer_of(child.task, exit).SerializeAsString();
    child.owed.settle(completed_with(child.what, std::move(answer)));
    for (auto& owed : child.owed_quiet)
      owed.settle(quiet_about(child.what));
  }
  if (running_.empty())
    inbox_->close();
}

process_spec process_backend_state::spec_for(const wire::AgentTask& task,
                                             std::uint32_t submission) const {
  process_environment env = settings_.env;
  for (const auto& [variable, value] : task.env())
    env.insert_or_assign(variable, value);
  const auto& called = task.name().empty() ? task.agent_id() : task.name();
  process_spec spec;
  spec.command = settings_.command;
  spec.environment = base_environment(
    own_, env, {task.run_id(), called, submission, settings_.name});
  spec.workdir =
    task.has_workdir_override() ? task.workdir_override() : task.workdir();
  spec.input = task.prompt();
  spec.max_output = settings_.max_output;
  spec.max_log = settings_.max_log;
  // Silence is measured from the signs of life, so they must not come late.
  if (task.has_idle_timeout_ns())
    spec.progress_interval = std::clamp<duration>(
      duration{task.idle_timeout_ns() / 8}, std::chrono::milliseconds{1},
      std::chrono::seconds{1});
  return spec;
}

} // namespace turnstile
