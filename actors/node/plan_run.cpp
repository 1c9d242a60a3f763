#include "actors/node/plan_run.hpp"

#include "actors/agent/uuid.hpp"
#include "actors/log/log_line.hpp"
#include "actors/node/plan_task.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace turnstile::node {

namespace {

/// Every run of this program is the one request of its scheduler.
constexpr std::uint64_t only_request = 1;

class plan_run_state {
public:
  static constexpr const char* name = "turnstile.plan_run";

  plan_run_state(plan_run_actor::pointer self, const config::plan& plan,
                 scheduler_actor scheduler, run_listener listener)
    : self_(self), plan_(plan), scheduler_(std::move(scheduler)),
      listener_(std::move(listener)), missing_(plan.tasks.size()),
      dependents_(plan.tasks.size()) {
    started_ = now(self_->clock());
    monitor(self_, scheduler_, [this](const caf::error& why) {
      lose(render(self_->system(), why));
    });
    result_.run_id = make_uuid();
    result_.name = plan.run;
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
      place.emplace(plan.tasks[i].name, i);
      result_.tasks.push_back({plan.tasks[i].name, {}, {}, {}});
    }
    for (std::size_t i = 0; i < plan.tasks.size(); ++i)
      for (const auto& need : plan.tasks[i].needs) {
        dependents_[place.at(need)].push_back(i);
        ++missing_[i];
      }
  }

  plan_run_actor::behavior_type make_behavior() {
    return {
      [this](run_atom) { begin(); },
      [this](const wire::CancelRequest&) { cancel(); },
    };
  }

private:
  void begin() {
    started_ = now(self_->clock());
    log_event(spdlog::level::info, "run_started", [&](log_line& line) {
      line("run", result_.run_id)("name", result_.name);
      line("tasks", result_.tasks.size());
    });
    if (result_.tasks.empty())
      return finish();
    wire::RegisterRequest message;
    message.mutable_request()->set_value(only_request);
    message.set_cancel_when_owner_dies(true);
    terms_of(plan_, result_.run_id).SerializeToString(message.mutable_state());
    mail(self_, open_atom_v, std::move(message))
      .request(scheduler_, caf::infinite)
      .then(
        [this](const door_actor& door) {
          door_ = door;
          for (std::size_t i = 0; i < missing_.size(); ++i)
            if (missing_[i] == 0)
              submit(i);
        },
        [this](const caf::error& error) {
          const auto why = to_failure(self_->system(), error);
          if (why.code == errc::backend_lost)
            return lose(why.detail);
          end_waiting(task_status::error, why);
        });
  }

  /// What has ended stays as it is; so does a run that has.
  void cancel() {
    if (finishing_ || std::exchange(result_.cancelled, true))
      return;
    if (door_)
      mail(self_, wire::CancelRequest{})
        .urgent()
        .request(door_, caf::infinite)
        .then([](const wire::RequestEnded&) {}, [](const caf::error&) {});
    end_waiting(task_status::cancelled, run_cancelled());
  }

  static failure run_cancelled() {
    return {errc::run_cancelled, "run cancelled"};
  }

  /// A scheduler that is gone answers nothing that it was asked before.
  void lose(const std::string& why) {
    const failure reason{errc::backend_lost, "the scheduler is gone: " + why};
    for (std::size_t i = 0; i < result_.tasks.size(); ++i)
      if (result_.tasks[i].status == task_status::waiting
          || result_.tasks[i].status == task_status::running)
        note(i, task_status::error, reason);
    tell(wire::Report{});
  }

  /// Ends what was not submitted, for a reason that is nobody's need.
  void end_waiting(task_status how, const failure& why) {
    for (std::size_t i = 0; i < result_.tasks.size(); ++i)
      if (result_.tasks[i].status == task_status::waiting)
        note(i, how, why);
    finish_if_ended();
  }

  void submit(std::size_t i) {
    auto& task = result_.tasks[i];
    if (task.status != task_status::waiting)
      return;
    task.status = task_status::running;
    ++progress_.running;
    wire::SubmitWork message;
    auto order = task_message(plan_, i, result_);
    order.set_agent_id(make_uuid());
    order.SerializeToString(message.mutable_work()->mutable_payload());
    mail(self_, run_atom_v, std::move(message))
      .request(door_, caf::infinite)
      .then(
        [this, i](const wire::WorkEnded& ended) {
          ++result_.quota_used;
          settle(i, ended);
        },
        [this, i](const caf::error& why) {
          refuse(i, to_failure(self_->system(), why));
        });
  }

  void refuse(std::size_t i, failure why) {
    if (why.code == errc::backend_lost) // heard before the monitor tells
      return lose(why.detail);
    // A cancellation overtakes submissions, which then find no request.
    if (result_.cancelled && why.code == errc::unknown_request)
      return end(i, task_status::cancelled, run_cancelled());
    end(i, task_status::error, std::move(why));
  }

  void settle(std::size_t i, const wire::WorkEnded& ended) {
    auto& record = result_.tasks[i].record;
    if (!record.ParseFromString(ended.outcome())) {
      end(i, task_status::error,
          failure{errc::completion, "the task's record cannot be read"});
      return;
    }
    add(result_.tokens, record.tokens());
    std::optional<failure> reason;
    if (record.has_failure()) {
      auto why = from_wire(record.failure());
      reason = why ? std::move(*why) : std::move(why.error());
    }
    end(i, status_of(record.result().status()), std::move(reason));
  }

  static task_status status_of(wire::AgentStatus status) {
    switch (status) {
    case wire::AGENT_STATUS_OK:
      return task_status::ok;
    case wire::AGENT_STATUS_CANCELLED:
      return task_status::cancelled;
    case wire::AGENT_STATUS_TIMED_OUT:
      return task_status::timed_out;
    default:
      return task_status::error;
    }
  }

  /// Notes an end, and submits or skips what waited for it.
  void end(std::size_t first, task_status how, std::optional<failure> why) {
    std::vector<std::size_t> skipped;
    note(first, how, std::move(why));
    skipped.push_back(first);
    while (!skipped.empty()) {
      const auto i = skipped.back();
      skipped.pop_back();
      for (auto next : dependents_[i]) {
        if (result_.tasks[next].status != task_status::waiting)
          continue;
        if (result_.tasks[i].status == task_status::ok) {
          if (--missing_[next] == 0)
            submit(next);
          continue;
        }
        note(next, task_status::skipped,
             failure{errc::need_failed,
                     "not run: it needs " + result_.tasks[i].name
                       + ", which ended "
                       + to_string(result_.tasks[i].status)});
        skipped.push_back(next);
      }
    }
    finish_if_ended();
  }

  void finish_if_ended() {
    if (progress_.ended == result_.tasks.size())
      finish();
  }

  void note(std::size_t i, task_status how, std::optional<failure> why) {
    auto& task = result_.tasks[i];
    progress_.running -= task.status == task_status::running ? 1 : 0;
    task.status = how;
    task.why = std::move(why);
    ++progress_.ended;
    progress_.tasks = result_.tasks.size();
    progress_.failed += how == task_status::ok ? 0 : 1;
    log_end(i);
    if (listener_.on_task_ended)
      listener_.on_task_ended(progress_, task);
  }

  /// With the keys of every line on a task's path (actors/log/README.md).
  void log_end(std::size_t i) const {
    log_event(spdlog::level::info, "task_ended", [&](log_line& line) {
      const auto& task = result_.tasks[i];
      line("run", result_.run_id)("task", task.name);
      line("phase", plan_.tasks[i].phase);
      line("model", plan_.tasks[i].model.value_or(""));
      line("attempt", task.record.attempts());
      line("status", to_string(task.status));
      if (task.why)
        line("error", to_string(task.why->code))("text", task.why->detail);
    });
  }

  /// Ends the run's request, then asks what the scheduler has counted.
  void finish() {
    if (std::exchange(finishing_, true))
      return;
    if (!door_)
      return ask_report();
    mail(self_, wire::FinishRequest{})
      .request(door_, caf::infinite)
      .then([this](const wire::RequestEnded&) { ask_report(); },
            [this](const caf::error&) { ask_report(); }); // cancelled before
  }

  void ask_report() {
    mail(self_, wire::ReportQuery{})
      .request(scheduler_, caf::infinite)
      .then([this](const wire::Report& report) { tell(report); },
            [this](const caf::error&) { tell(wire::Report{}); });
  }

  void tell(const wire::Report& report) {
    result_.report = report;
    result_.elapsed = now(self_->clock()) - started_;
    log_event(spdlog::level::info, "run_ended", [&](log_line& line) {
      line("run", result_.run_id)("name", result_.name);
      line("cancelled", result_.cancelled ? "yes" : "no");
      line("not_ok", progress_.failed);
      line("elapsed_ms", result_.elapsed.count() / 1'000'000);
    });
    listener_.on_end(std::move(result_));
    self_->quit();
  }

  plan_run_actor::pointer self_;
  const config::plan& plan_;
  scheduler_actor scheduler_;
  run_listener listener_;
  door_actor door_;
  run_result result_;
  run_progress progress_;
  std::vector<std::size_t> missing_; ///< Needs that have not ended ok.
  std::vector<std::vector<std::size_t>> dependents_;
  instant started_;
  bool finishing_ = false;
};

} // namespace

const char* to_string(task_status status) noexcept {
  switch (status) {
  case task_status::waiting:
    return "waiting";
  case task_status::running:
    return "running";
  case task_status::ok:
    return "ok";
  case task_status::error:
    return "error";
  case task_status::cancelled:
    return "cancelled";
  case task_status::timed_out:
    return "timed_out";
  case task_status::skipped:
    return "skipped";
  }
  return "unknown";
}

const char* status_word(const run_result& run) noexcept {
  if (run.cancelled)
    return "cancelled";
  const auto all_ok =
    std::all_of(run.tasks.begin(), run.tasks.end(), [](const auto& task) {
      return task.status == task_status::ok;
    });
  return all_ok ? "completed" : "failed";
}

plan_run_actor spawn_plan_run(caf::actor_system& system,
                              const config::plan& plan,
                              scheduler_actor scheduler,
                              run_listener listener) {
  return spawn<plan_run_state>(system, std::cref(plan), std::move(scheduler),
                               std::move(listener));
}

} // namespace turnstile::node
