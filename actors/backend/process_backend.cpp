#include "actors/backend/process_backend.hpp"

#include "actors/backend/child_answer.hpp"
#include "actors/process/base_environment.hpp"
#include "core/base/check.hpp"
#include "core/base/hash.hpp"
#include "messages/translate.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace turnstile {

namespace {

/// As `backend_actor`, and what the actor tells itself.
using process_backend_actor =
  typed_actor<caf::result<wire::Completed>(wire::Execute),
              caf::result<wire::Quiet>(wire::CancelWork),
              caf::result<wire::BackendCapabilities>(
                wire::BackendCapabilitiesQuery),
              /// Exits wait in the inbox.
              caf::result<void>(exited_atom)>;

/// What the host's thread hands to the actor.
struct exit_inbox {
  std::mutex guard;
  std::vector<std::pair<work_id, process_exit>> exits;
};

/// One child for each attempt that is not answered yet.
class process_backend_state {
public:
  static constexpr const char* name = "turnstile.process_backend";

  process_backend_state(process_backend_actor::pointer self,
                        std::shared_ptr<process_host> host,
                        process_backend_settings settings)
    : self_(self), host_(std::move(host)), settings_(std::move(settings)),
      own_environment_(own_environment()) {
    TURNSTILE_CHECK(!settings_.command.empty());
  }

  ~process_backend_state() {
    for (const auto& [id, child] : children_)
      host_->stop_now(child.ticket);
  }

  process_backend_state(const process_backend_state&) = delete;
  process_backend_state& operator=(const process_backend_state&) = delete;

  process_backend_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& order) { return execute(order); },
      [this](const wire::CancelWork& order) { return cancel(order); },
      [this](const wire::BackendCapabilitiesQuery&) {
        wire::BackendCapabilities capabilities;
        capabilities.set_backend(settings_.name);
        capabilities.set_physically_preemptible(true);
        return capabilities;
      },
      [this](exited_atom) { take_exits(); },
    };
  }

private:
  struct child {
    process_ticket ticket;
    wire::AgentTask task;
    std::uint32_t submission = 1;
    owed_answer<wire::Completed> owed;
    std::vector<owed_answer<wire::Quiet>> stopping;
  };

  caf::result<wire::Completed> execute(const wire::Execute& order) {
    auto id = from_wire(order.work_id(), "Execute.work_id");
    if (!id)
      return to_error(id.error());
    child begun;
    if (!begun.task.ParseFromString(order.payload()))
      return to_error({errc::invalid_argument,
                       "Execute.payload is no turnstile.wire.AgentTask"});
    if (children_.contains(*id))
      return to_error(
        {errc::state, "work " + to_string(*id) + " is being executed already"});
    begun.submission = order.submission();
    begun.owed = owed_answer<wire::Completed>{self_};
    auto later = begun.owed.later();
    process_callbacks callbacks;
    callbacks.on_exit = [inbox = inbox_, id = *id,
                         to = process_backend_actor{self_}](process_exit exit) {
      {
        std::scoped_lock lock{inbox->guard};
        inbox->exits.emplace_back(id, std::move(exit));
      }
      anon_mail(exited_atom_v).send(to);
    };
    begun.ticket =
      host_->start(spec_of(begun.task, begun.submission), callbacks);
    children_.emplace(*id, std::move(begun));
    return later;
  }

  process_spec spec_of(const wire::AgentTask& task,
                       std::uint32_t submission) const {
    process_spec spec;
    spec.command = settings_.command;
    auto env = settings_.env;
    for (const auto& [key, value] : task.env())
      env.insert_or_assign(key, value);
    const auto& name_of_task = task.has_name() ? task.name() : task.agent_id();
    spec.environment = base_environment(
      own_environment_, env,
      {task.run_id(), name_of_task, submission, settings_.name});
    spec.workdir =
      task.has_workdir_override() ? task.workdir_override() : task.workdir();
    spec.input = task.prompt();
    spec.max_output = settings_.max_output;
    return spec;
  }

  caf::result<wire::Quiet> cancel(const wire::CancelWork& order) {
    auto id = from_wire(order.work_id(), "CancelWork.work_id");
    if (!id)
      return to_error(id.error());
    auto found = children_.find(*id);
    if (found == children_.end())
      return quiet(*id, order.submission());
    host_->stop(found->second.ticket, settings_.grace);
    owed_answer<wire::Quiet> owed{self_};
    auto later = owed.later();
    found->second.stopping.push_back(std::move(owed));
    return later;
  }

  static wire::Quiet quiet(const work_id& id, std::uint32_t submission) {
    wire::Quiet news;
    *news.mutable_work_id() = to_wire(id);
    news.set_submission(submission);
    return news;
  }

  void take_exits() {
    std::vector<std::pair<work_id, process_exit>> exits;
    {
      std::scoped_lock lock{inbox_->guard};
      exits.swap(inbox_->exits);
    }
    for (auto& [id, exit] : exits)
      ended(id, exit);
  }

  void ended(const work_id& id, const process_exit& exit) {
    auto found = children_.extract(id);
    if (!found)
      return;
    auto& gone = found.mapped();
    wire::Completed answer;
    *answer.mutable_work_id() = to_wire(id);
    answer.set_submission(gone.submission);
    answer_of(gone.task, exit).SerializeToString(answer.mutable_outcome());
    gone.owed.settle(std::move(answer));
    for (auto& waiting : gone.stopping)
      waiting.settle(quiet(id, gone.submission));
  }

  process_backend_actor::pointer self_;
  std::shared_ptr<process_host> host_;
  process_backend_settings settings_;
  process_environment own_environment_;
  std::shared_ptr<exit_inbox> inbox_ = std::make_shared<exit_inbox>();
  std::unordered_map<work_id, child, id_hash> children_;
};

} // namespace

backend_actor spawn_process_backend(caf::actor_system& system,
                                    std::shared_ptr<process_host> host,
                                    process_backend_settings settings) {
  return spawn<process_backend_state>(system, std::move(host),
                                      std::move(settings));
}

} // namespace turnstile
