#include "actors/node/run_news.hpp"

#include "messages/translate.hpp"

#include <map>
#include <utility>

namespace turnstile::node {

namespace {

task_status status_in(const std::string& word) {
  for (auto one : {task_status::ok, task_status::cancelled,
                   task_status::timed_out, task_status::skipped})
    if (word == to_string(one))
      return one;
  return task_status::error;
}

} // namespace

run_listener news_to(run_desk_actor desk, std::string run_id,
                     std::shared_ptr<const config::plan> plan) {
  auto places = std::make_shared<std::map<std::string, std::size_t>>();
  for (std::size_t i = 0; i < plan->tasks.size(); ++i)
    places->emplace(plan->tasks[i].name, i);
  run_listener listener;
  listener.on_task_ended = [desk, run_id, places](const run_progress& progress,
                                                  const task_result& task) {
    wire::RunNews news;
    news.set_run_id(run_id);
    news.set_running(progress.running);
    *news.add_ends() = to_wire(task, places->at(task.name));
    anon_mail(std::move(news)).send(desk);
  };
  // The plan must not go before the run that reads it.
  listener.on_end = [desk, run_id, plan](const run_result& result) {
    wire::RunNews news;
    news.set_run_id(run_id);
    *news.mutable_summary() = to_wire(result);
    anon_mail(std::move(news)).send(desk);
  };
  return listener;
}

wire::TaskEnd to_wire(const task_result& task, std::size_t place) {
  wire::TaskEnd end;
  end.set_place(place);
  end.set_status(to_string(task.status));
  if (task.why)
    *end.mutable_failure() = turnstile::to_wire(*task.why);
  *end.mutable_record() = task.record;
  return end;
}

void put(const wire::TaskEnd& end, task_result& into) {
  into.status = status_in(end.status());
  into.why.reset();
  if (end.has_failure())
    into.why = failure_in(end.failure(), "TaskEnd.failure");
  into.record = end.record();
}

wire::RunSummary to_wire(const run_result& run) {
  wire::RunSummary summary;
  summary.set_cancelled(run.cancelled);
  summary.set_suspended(run.suspended);
  if (run.lost)
    *summary.mutable_lost() = turnstile::to_wire(*run.lost);
  summary.set_quota_used(run.quota_used);
  *summary.mutable_tokens() = run.tokens;
  *summary.mutable_report() = run.report;
  summary.set_elapsed_ns(run.elapsed.count());
  return summary;
}

void put(const wire::RunSummary& summary, run_result& into) {
  into.cancelled = summary.cancelled();
  into.suspended = summary.suspended();
  into.lost.reset();
  if (summary.has_lost())
    into.lost = failure_in(summary.lost(), "RunSummary.lost");
  into.quota_used = summary.quota_used();
  into.tokens = summary.tokens();
  into.report = summary.report();
  into.elapsed = duration{summary.elapsed_ns()};
}

} // namespace turnstile::node
