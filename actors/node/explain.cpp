#include "actors/node/explain.hpp"

#include "actors/agent/uuid.hpp"
#include "actors/journal/ask_owner.hpp"
#include "actors/node/json_text.hpp"
#include "core/base/duration_text.hpp"
#include "messages/explain.pb.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace turnstile::node {

namespace {

/// "backend_full" of HOLD_CAUSE_BACKEND_FULL.
std::string word_of(wire::HoldCause cause) {
  constexpr std::string_view prefix = "HOLD_CAUSE_";
  auto word = wire::HoldCause_Name(cause);
  if (word.starts_with(prefix))
    word.erase(0, prefix.size());
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return word.empty() ? "unknown" : word; // of a newer program
}

std::string span(duration length) {
  return duration_text(length - length % std::chrono::milliseconds{1});
}

bool is_span(const std::string& limit) {
  return limit.ends_with("timeout") || limit == "deadline";
}

/// Says the limits of a scheduler as a plan calls them.
std::string in_words_of_plans(std::string text, const wire::Explanation& it) {
  auto replace = [&](const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != text.npos;
         at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
  };
  if (it.cause() == wire::HOLD_CAUSE_BACKEND_FULL)
    replace("concurrency", "backends." + it.backend() + ".concurrency");
  replace("max_in_flight_per_request", "concurrency");
  replace("max_in_flight_global", "concurrency");
  return text;
}

/// What whoever runs the task says of it.
void take(task_explanation& into, const wire::Explanation& it) {
  into.cause = word_of(it.cause());
  into.text = in_words_of_plans(it.text(), it);
  into.frees = in_words_of_plans(it.frees(), it);
  into.so_far = it.so_far();
  into.limit = in_words_of_plans(it.limit(), it);
  if (!it.limit().empty())
    into.value = is_span(it.limit())
                   ? span(duration{static_cast<std::int64_t>(it.value())})
                   : std::to_string(it.value());
  into.held_by = it.held_by();
  into.before = it.before();
  if (it.has_remaining_ns())
    into.remaining = duration{it.remaining_ns()};
  for (const auto& holder : it.holders())
    into.holders.push_back(
      {holder.label().empty() ? holder.name() : holder.label(),
       holder.has_executing_ns()
         ? span(duration{holder.executing_ns()})
         : std::string{to_string(task_status::waiting)}});
}

std::string attempts_text(const wire::TaskRecord& record) {
  if (record.attempts() == 0)
    return {};
  auto text = std::to_string(record.attempts())
              + (record.attempts() == 1 ? " attempt" : " attempts");
  if (!record.backend().empty())
    text.append(", the last on backend ").append(record.backend());
  return text;
}

void set_limit(task_explanation& into, const char* name, std::string value) {
  into.limit = name;
  into.value = std::move(value);
}

/// Which limit an end has met, and what a new run could do about it.
void add_way_out(task_explanation& into, errc code, const config::plan& plan,
                 const config::task_settings& task) {
  switch (code) {
  case errc::exhausted:
    set_limit(into, "max_retries", std::to_string(plan.retry.max_retries));
    into.frees =
      "what ails its backend, or a greater max_retries, in a new run";
    return;
  case errc::schema_validation:
    set_limit(into, "schema_retry_max",
              std::to_string(plan.retry.schema_retry_max));
    into.frees = "an output that its schema permits, in a new run";
    return;
  case errc::deadline_exceeded:
    // The run's may have passed before the task's own; its error says which.
    if (const auto due = std::min(task.deadline.value_or(longest_span),
                                  plan.deadline.value_or(longest_span));
        due != longest_span)
      set_limit(into, "deadline", duration_text(due));
    into.frees = "a later deadline, in a new run";
    return;
  case errc::quota_exceeded:
    set_limit(into, "quota", std::to_string(plan.quota));
    into.frees = "a greater quota, in a new run";
    return;
  case errc::need_failed:
    into.frees = "the success of what it needs, in a new run";
    return;
  case errc::run_cancelled:
  case errc::agent_cancelled:
    into.frees = "nothing: what was cancelled stays so";
    return;
  default:
    into.frees = "what its error says, mended, in a new run";
  }
}

/// Names what a task needs that has not succeeded.
void name_needs(task_explanation& into, const config::task_settings& settings,
                const run_result& all) {
  for (const auto& other : all.tasks)
    if (other.status != task_status::ok
        && std::find(settings.needs.begin(), settings.needs.end(), other.name)
             != settings.needs.end())
      into.holders.push_back({other.name, to_string(other.status)});
  into.held_by = into.holders.size();
}

void explain_end(task_explanation& into, const task_result& task,
                 const past_run& run, const config::task_settings& settings,
                 const run_result& all) {
  into.so_far = attempts_text(task.record);
  if (!task.why) {
    into.cause = "ok";
    into.text = "it has succeeded";
    into.frees = "nothing: it has what it wanted";
    return;
  }
  into.cause = to_string(task.why->code);
  into.text = task.why->detail;
  add_way_out(into, task.why->code, run.plan, settings);
  if (task.status == task_status::skipped)
    name_needs(into, settings, all);
}

/// Whoever runs the run does not know the task yet.
void explain_absence(task_explanation& into,
                     const config::task_settings& settings,
                     const run_result& all) {
  name_needs(into, settings, all);
  if (into.holders.empty()) {
    into.cause = word_of(wire::HOLD_CAUSE_TURN);
    into.text = "nothing holds it; its run is about to hand it in";
    into.frees = "the next turns";
    return;
  }
  into.cause = "needs";
  into.text = "it needs others, which have not succeeded yet:";
  for (const auto& holder : into.holders)
    into.text.append(" ")
      .append(holder.task)
      .append(" (")
      .append(holder.state)
      .append(")");
  into.frees = "the success of these";
}

void explain_rest(task_explanation& into, const task_result& task) {
  into.cause = "not_running";
  into.text = "no process runs this run now: it was interrupted or killed, or "
              "whoever goes on with it still reads it";
  into.frees = "turnstile resume " + into.run_id;
  into.so_far = attempts_text(task.record);
}

/// What is known of a task of the run at one instant.
struct known_task {
  run_result all;
  std::size_t place = 0;

  [[nodiscard]] const task_result& task() const { return all.tasks[place]; }
  [[nodiscard]] bool has_ended() const {
    return task().status != task_status::waiting
           && task().status != task_status::running;
  }
};

result<known_task> look_up(journal_view& journal, const past_run& run,
                           const std::string& name) {
  auto all = read_result(journal, run);
  if (!all)
    return fail(all.error());
  const auto found =
    std::find_if(all->tasks.begin(), all->tasks.end(),
                 [&](const auto& task) { return task.name == name; });
  if (found == all->tasks.end())
    return fail(errc::invalid_argument, "run " + run.head.name + " has no task "
                                          + name + "; turnstile report "
                                          + run.head.name
                                          + " names those it has");
  const auto place = static_cast<std::size_t>(found - all->tasks.begin());
  return known_task{std::move(*all), place};
}

result<std::optional<wire::CommandAnswer>>
ask(const std::string& path, const std::string& run, const std::string& task) {
  wire::JournalCommand order;
  order.set_verb("explain");
  order.set_run(run);
  order.set_task(uuid_within(run, task));
  return ask_owner(path, order);
}

/// Whether nobody knows the task as one that goes on: it may have ended since
/// the journal was looked at.
bool may_have_ended(const result<std::optional<wire::CommandAnswer>>& asked) {
  if (!asked)
    return asked.error().code == errc::run_not_found
           || asked.error().code == errc::unknown_request;
  return !*asked || (*asked)->explanation().cause() == wire::HOLD_CAUSE_ENDED;
}

} // namespace

result<task_explanation> explain(journal_view& journal, const past_run& run,
                                 const std::string& name) {
  auto known = look_up(journal, run, name);
  if (!known)
    return fail(known.error());
  const auto& settings = run.plan.tasks[known->place];
  result<std::optional<wire::CommandAnswer>> asked;
  if (!known->has_ended()) {
    asked = ask(journal.path(), run.head.name, name);
    if (may_have_ended(asked)) {
      auto now = run;
      auto head = find_run(journal, run.head.name, false);
      if (!head)
        return fail(head.error());
      now.head = std::move(*head);
      known = look_up(journal, now, name);
      if (!known)
        return fail(known.error());
    }
  }
  task_explanation why;
  why.run_id = run.head.name;
  why.task = name;
  why.status = to_string(known->task().status);
  if (known->has_ended())
    explain_end(why, known->task(), run, settings, known->all);
  else if (asked && *asked)
    take(why, (*asked)->explanation());
  else if (asked || asked.error().code == errc::run_not_found)
    explain_rest(why, known->task());
  else if (asked.error().code == errc::unknown_work)
    explain_absence(why, settings, known->all);
  else
    return fail(asked.error());
  return why;
}

std::string to_json(const task_explanation& why) {
  auto holders = json::array();
  for (const auto& holder : why.holders)
    holders.push_back({{"task", holder.task}, {"state", holder.state}});
  json whole = {{"run", why.run_id},    {"task", why.task},
                {"status", why.status}, {"cause", why.cause},
                {"text", why.text},     {"frees", why.frees},
                {"so_far", why.so_far}};
  whole["limit"] = why.limit.empty()
                     ? json(nullptr)
                     : json{{"name", why.limit}, {"value", why.value}};
  whole["held_by"] = why.held_by;
  whole["holders"] = std::move(holders);
  whole["before"] = why.before;
  whole["remaining_ms"] =
    why.remaining ? json(why.remaining->count() / 1'000'000) : json(nullptr);
  return write_json(whole, 2) + '\n';
}

std::string to_text(const task_explanation& why) {
  std::string text;
  auto line = [&](const char* what, const std::string& says) {
    if (!says.empty())
      text.append(what).append(says).append("\n");
  };
  line("", why.task + " of run " + why.run_id + ": " + why.status);
  line("cause   ", why.cause);
  line("why     ", why.text);
  if (!why.limit.empty())
    line("limit   ", why.limit + " = " + why.value);
  std::string holders;
  for (const auto& holder : why.holders)
    holders.append(holders.empty() ? "" : ", ")
      .append(holder.task)
      .append(" (")
      .append(holder.state)
      .append(")");
  line("held by ", holders);
  line("so far  ", why.so_far);
  line("frees   ", why.frees);
  return text;
}

} // namespace turnstile::node
