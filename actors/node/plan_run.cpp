#include "actors/node/plan_run.hpp"

#include "actors/agent/agent_run.hpp"
#include "actors/agent/uuid.hpp"
#include "actors/log/log_line.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/stored_plan.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace turnstile::node {

namespace {

class plan_run_state {
public:
  static constexpr const char* name = "turnstile.plan_run";

  plan_run_state(plan_run_actor::pointer self, const config::plan& plan,
                 scheduler_actor scheduler, run_listener listener,
                 plan_run_options options)
    : self_(self), plan_(plan), scheduler_(std::move(scheduler)),
      listener_(std::move(listener)), options_(std::move(options)),
      missing_(plan.tasks.size()), dependents_(plan.tasks.size()) {
    started_ = now(self_->clock());
    monitor(self_, scheduler_, [this](const caf::error& why) {
      lose(to_failure(self_->system(), why));
    });
    result_.run_id = options_.run_id.empty() ? make_uuid() : options_.run_id;
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
      [this](suspend_atom) { suspend(); },
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
    agent_run_options run;
    run.terms = terms_of(plan_, result_.run_id);
    run.journal = options_.journal;
    run.resume = options_.resume;
    if (options_.journal.journal)
      to_stored(plan_).SerializeToString(run.terms.mutable_plan());
    run_ = spawn_agent_run(self_, scheduler_, std::move(run));
    for (std::size_t i = 0; i < missing_.size(); ++i)
      if (missing_[i] == 0)
        submit(i);
  }

  /// What has ended stays as it is; so does a run that has.
  void cancel() {
    if (finishing_ || std::exchange(result_.cancelled, true))
      return;
    if (run_)
      mail(self_, wire::CancelRun{})
        .urgent()
        .request(run_, caf::infinite)
        .then([](const wire::RunEnded&) {}, [](const caf::error&) {});
    end_waiting(task_status::cancelled, run_cancelled());
  }

  /// What runs is stopped, and what has not ended stays so.
  void suspend() {
    if (finishing_ || std::exchange(result_.suspended, true))
      return;
    mail(self_, suspend_atom_v)
      .urgent()
      .request(scheduler_, caf::infinite)
      .then(
        [this] {
          if (std::exchange(finishing_, true))
            return; // all had ended before
          for (std::size_t i = 0; i < result_.tasks.size(); ++i)
            if (result_.tasks[i].status == task_status::running)
              take_back(i);
          ask_report();
        },
        [this](const caf::error& why) {
          lose(to_failure(self_->system(), why));
        });
  }

  /// A scheduler that is gone answers nothing that it was asked before.
  void lose(const failure& why) {
    if (std::exchange(told_, true))
      return;
    result_.lost = why;
    const failure reason{errc::backend_lost,
                         "the scheduler is gone: " + why.detail};
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
    auto order = task_message(plan_, i, result_);
    order.set_agent_id(uuid_within(result_.run_id, task.name));
    mail(self_, std::move(order))
      .request(run_, caf::infinite)
      .then(
        [this, i](const wire::TaskRecord& record) {
          result_.quota_used += record.remembered_of().empty() ? 1 : 0;
          settle(i, record);
        },
        [this, i](const caf::error& why) {
          refuse(i, to_failure(self_->system(), why));
        });
  }

  void refuse(std::size_t i, failure why) {
    if (why.code == errc::backend_lost) // heard before the monitor tells
      return lose(why);
    // A cancellation, whoever's, overtakes submissions, which then find no
    // request.
    if (why.code == errc::unknown_request) {
      hear_of_cancellation();
      return end(i, task_status::cancelled, run_cancelled());
    }
    if (result_.suspended) // it was on its way
      return take_back(i);
    end(i, task_status::error, std::move(why));
  }

  void take_back(std::size_t i) {
    result_.tasks[i].status = task_status::waiting;
    --progress_.running;
  }

  void settle(std::size_t i, const wire::TaskRecord& record) {
    result_.tasks[i].record = record;
    add(result_.tokens, record.tokens());
    auto reason = failure_of(record);
    if (reason && reason->code == errc::run_cancelled)
      hear_of_cancellation();
    end(i, status_of(record.result().status()), std::move(reason));
  }

  /// Somebody else may have cancelled the run: another process, say.
  void hear_of_cancellation() {
    if (!std::exchange(result_.cancelled, true))
      end_waiting(task_status::cancelled, run_cancelled());
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
        note(next, task_status::skipped, not_run_without(result_.tasks[i]));
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
    result_.suspended = false; // too late: nothing is left undone
    if (!run_)
      return ask_report();
    wire::FinishRun how;
    how.set_status(progress_.failed == 0 ? wire::RUN_STATUS_COMPLETED
                                         : wire::RUN_STATUS_FAILED);
    mail(self_, how)
      .request(run_, caf::infinite)
      .then([this](const wire::RunEnded&) { ask_report(); },
            [this](const caf::error&) { ask_report(); }); // cancelled before
  }

  void ask_report() {
    mail(self_, wire::ReportQuery{})
      .request(scheduler_, caf::infinite)
      .then([this](const wire::Report& report) { tell(report); },
            [this](const caf::error&) { tell(wire::Report{}); });
  }

  void tell(const wire::Report& report) {
    told_ = true;
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
  plan_run_options options_;
  agent_run_actor run_;
  run_result result_;
  run_progress progress_;
  std::vector<std::size_t> missing_; ///< Needs that have not ended ok.
  std::vector<std::vector<std::size_t>> dependents_;
  instant started_;
  bool finishing_ = false;
  bool told_ = false;
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

std::optional<failure> failure_of(const wire::TaskRecord& record) {
  if (!record.has_failure())
    return std::nullopt;
  return failure_in(record.failure());
}

failure not_run_without(const task_result& need) {
  return {errc::need_failed, "not run: it needs " + need.name + ", which ended "
                               + to_string(need.status)};
}

failure run_cancelled() {
  return {errc::run_cancelled, "run cancelled"};
}

const char* status_word(const run_result& run) noexcept {
  if (run.cancelled)
    return "cancelled";
  if (run.suspended)
    return "interrupted";
  const auto all_ok =
    std::all_of(run.tasks.begin(), run.tasks.end(), [](const auto& task) {
      return task.status == task_status::ok;
    });
  return all_ok ? "completed" : "failed";
}

plan_run_actor spawn_plan_run(caf::actor_system& system,
                              const config::plan& plan,
                              scheduler_actor scheduler, run_listener listener,
                              plan_run_options options) {
  return spawn<plan_run_state>(system, std::cref(plan), std::move(scheduler),
                               std::move(listener), std::move(options));
}

} // namespace turnstile::node
