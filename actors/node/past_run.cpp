#include "actors/node/past_run.hpp"

#include "actors/agent/uuid.hpp"
#include "actors/journal/lost_work.hpp"
#include "actors/node/stored_plan.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <chrono>
#include <map>
#include <unordered_map>
#include <utility>

namespace turnstile::node {

namespace {

constexpr std::uint32_t all_runs = 1'000'000;

using places = std::unordered_map<std::string, std::size_t>;

task_status status_of(const std::string& word) {
  for (const auto known : {task_status::ok, task_status::error,
                           task_status::cancelled, task_status::timed_out})
    if (word == to_string(known))
      return known;
  return task_status::error;
}

void settle(task_result& task, const wire::WorkHistory& work, run_result& run) {
  wire::EndedFact ended;
  if (!ended.ParseFromString(work.ended_as_kept())
      || !work.has_ended_as_kept()) {
    task.status =
      work.executing() ? task_status::running : task_status::waiting;
    return;
  }
  if (is_lost(ended)) {
    task.status = task_status::error;
    task.why = failure_in(ended.failure());
    return;
  }
  task.record.ParseFromString(ended.outcome());
  task.status = status_of(ended.word());
  add(run.tokens, task.record.tokens());
  task.why = failure_of(task.record);
}

/// Says of tasks that never came in why they did not, as far as their needs
/// tell.
void skip(const config::plan& plan, const places& place, run_result& run,
          const std::vector<bool>& came) {
  for (auto changed = true; std::exchange(changed, false);)
    for (std::size_t i = 0; i < plan.tasks.size(); ++i) {
      auto& task = run.tasks[i];
      if (came[i] || task.status != task_status::waiting)
        continue;
      for (const auto& need : plan.tasks[i].needs) {
        const auto& needed = run.tasks[place.at(need)];
        if (needed.status == task_status::ok
            || needed.status == task_status::waiting
            || needed.status == task_status::running)
          continue;
        task.status = task_status::skipped;
        task.why = not_run_without(needed);
        changed = true;
        break;
      }
    }
}

/// Says of tasks that were refused, why.
void read_refusals(journal_reader& reader, const std::string& run_id,
                   const config::plan& plan, run_result& run,
                   const std::vector<bool>& came) {
  std::unordered_map<std::string, std::size_t> open;
  for (std::size_t i = 0; i < plan.tasks.size(); ++i)
    if (!came[i] && run.tasks[i].status == task_status::waiting)
      open.emplace(uuid_within(run_id, plan.tasks[i].name), i);
  if (open.empty())
    return;
  std::uint64_t from = 1;
  for (;;) {
    const auto batch = reader.events(run_id, from, 4096);
    for (const auto& event : batch.events()) {
      if (!event.has_task_refused())
        continue;
      const auto whose = open.find(event.task_refused().agent_id());
      if (whose == open.end())
        continue;
      auto& task = run.tasks[whose->second];
      task.status = task_status::error;
      task.why = failure{errc_from_string(event.task_refused().code())
                           .value_or(errc::invalid_argument),
                         event.task_refused().reason()};
    }
    if (batch.events_size() == 0)
      return;
    from = batch.next();
  }
}

} // namespace

result<request_head> find_run(journal_view& journal, const std::string& run,
                              bool unended) {
  return journal.see([&](journal_reader& reader) -> result<request_head> {
    if (!run.empty())
      if (auto found = reader.named(run))
        return *found;
    std::vector<request_head> found;
    for (auto& head : reader.all(all_runs)) {
      if (head.name.empty() || (run.empty() && unended && head.closed_at))
        continue;
      if (!head.name.starts_with(run))
        continue;
      if (run.empty())
        return head;
      found.push_back(std::move(head));
    }
    if (found.size() == 1)
      return found.front();
    if (found.size() > 1)
      return fail(errc::run_not_found,
                  std::to_string(found.size()) + " runs in " + journal.path()
                    + " begin with " + run + "; say more of it");
    return fail(errc::run_not_found,
                run.empty() ? "there is no run in " + journal.path()
                                + (unended ? " that has not ended" : "")
                            : "there is no run " + run + " in " + journal.path()
                                + "; turnstile list names those there are");
  });
}

result<past_run> read_past_run(journal_view& journal, const request_head& run) {
  auto history =
    journal.see([&](journal_reader& reader) -> result<wire::History> {
      return reader.history(run, 0, 1);
    });
  if (!history)
    return fail(history.error());
  wire::RunTerms terms;
  wire::StoredPlan stored;
  if (!terms.ParseFromString(history->opened().terms()) || terms.plan().empty()
      || !stored.ParseFromString(terms.plan()))
    return fail(errc::invalid_argument,
                "run " + run.name
                  + " is not of a plan, so this program cannot "
                    "go on with it");
  auto plan = from_stored(stored);
  if (!plan)
    return fail(plan.error());
  return past_run{run, std::move(*plan)};
}

result<run_result> read_result(journal_view& journal, const past_run& run) {
  return journal.see([&](journal_reader& reader) -> result<run_result> {
    run_result result;
    result.run_id = run.head.name;
    result.name = run.head.label;
    places place;
    for (std::size_t i = 0; i < run.plan.tasks.size(); ++i) {
      place.emplace(run.plan.tasks[i].name, i);
      result.tasks.push_back({run.plan.tasks[i].name, {}, {}, {}});
    }
    std::vector<bool> came(result.tasks.size());
    std::uint64_t from = 0;
    for (auto more = true; more;) {
      const auto page = reader.history(run.head, from, 0);
      for (const auto& work : page.works()) {
        const auto found = place.find(work.accepted().label());
        if (found == place.end())
          continue;
        came[found->second] = true;
        auto& task = result.tasks[found->second];
        settle(task, work, result);
        result.quota_used += task.record.remembered_of().empty() ? 1 : 0;
      }
      from = page.next();
      more = page.more();
    }
    if (!run.head.closed_at) {
      result.suspended = true;
    } else {
      read_refusals(reader, run.head.name, run.plan, result, came);
      result.cancelled = run.head.word == "cancelled";
      result.elapsed = duration{*run.head.closed_at - run.head.opened_at};
    }
    skip(run.plan, place, result, came);
    if (result.cancelled)
      for (auto& task : result.tasks)
        if (task.status == task_status::waiting
            || task.status == task_status::running) {
          task.status = task_status::cancelled;
          task.why = run_cancelled();
        }
    result.report.set_submitted_work(run.head.tally.accepted());
    for (const auto& [word, works] : run.head.tally.ended())
      if (word == "ok" || word == "error")
        result.report.set_completed_work(result.report.completed_work()
                                         + works);
    return result;
  });
}

} // namespace turnstile::node
