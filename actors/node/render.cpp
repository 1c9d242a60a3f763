#include "actors/node/render.hpp"

#include "actors/node/json_text.hpp"
#include "messages/json.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace turnstile::node {

namespace {

json tokens_of(const wire::TokenUsage& tokens) {
  return {{"input", tokens.input()},
          {"output", tokens.output()},
          {"cache_read", tokens.cache_read()},
          {"cache_write", tokens.cache_write()}};
}

json findings_of(const wire::AgentResult& result) {
  auto all = json::array();
  for (const auto& finding : result.findings())
    all.push_back(read_json(turnstile::to_json(finding)));
  return all;
}

json artifacts_of(const wire::AgentResult& result) {
  auto all = json::array();
  for (const auto& artifact : result.artifacts())
    all.push_back(read_json(turnstile::to_json(artifact)));
  return all;
}

json task_object(const task_result& task) {
  const auto& record = task.record;
  const auto& result = record.result();
  json error = nullptr;
  if (task.why)
    error = {{"code", std::string{to_string(task.why->code)}},
             {"text", task.why->detail}};
  return {{"name", task.name},
          {"status", to_string(task.status)},
          {"output", read_json(result.output_json())},
          {"error", std::move(error)},
          {"attempts", record.attempts()},
          {"retries", record.retries()},
          {"schema_retries", record.schema_retries()},
          {"tokens", tokens_of(record.tokens())},
          {"elapsed_ms", record.elapsed_ns() / 1'000'000},
          {"backend", record.backend()},
          {"findings", findings_of(result)},
          {"artifacts", artifacts_of(result)},
          {"log", result.logs().path()},
          {"thread",
           result.has_thread_id() ? json(result.thread_id()) : json(nullptr)}};
}

bool all_ok(const run_result& run) {
  return std::all_of(run.tasks.begin(), run.tasks.end(), [](const auto& task) {
    return task.status == task_status::ok;
  });
}

std::string milliseconds(std::int64_t ns) {
  std::ostringstream out;
  if (ns < 10'000'000'000)
    out << ns / 1'000'000 << " ms";
  else
    out << ns / 1'000'000'000 << " s";
  return out.str();
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string one_line(std::string text) {
  std::replace_if(
    text.begin(), text.end(),
    [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

void put_groups(std::ostringstream& out, const run_result& run,
                const config::plan& plan) {
  std::vector<std::pair<std::string, config::task_group>> groups(
    plan.groups.begin(), plan.groups.end());
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  std::size_t width = 5;
  for (const auto& [name, group] : groups)
    width = std::max(width, name.size());
  out << padded("tasks", width)
      << "   count      ok  not ok  attempts   busy\n";
  for (const auto& [name, group] : groups) {
    std::size_t ok = 0;
    std::uint64_t attempts = 0;
    std::int64_t busy = 0;
    for (std::size_t i = 0; i < group.count; ++i) {
      const auto& task = run.tasks[group.first + i];
      ok += task.status == task_status::ok ? 1 : 0;
      attempts += task.record.attempts();
      busy += task.record.elapsed_ns();
    }
    auto cell = [&](std::uint64_t value, int columns) {
      auto text = std::to_string(value);
      out << std::string(
        std::max<int>(1, columns - static_cast<int>(text.size())), ' ')
          << text;
    };
    out << padded(name, width);
    cell(group.count, 8);
    cell(ok, 8);
    cell(group.count - ok, 8);
    cell(attempts, 10);
    out << "   " << milliseconds(busy) << '\n';
  }
}

} // namespace

std::string to_json(const run_result& run) {
  auto tasks = json::array();
  for (const auto& task : run.tasks)
    tasks.push_back(task_object(task));
  json whole = {{"run", run.run_id},
                {"status", run.cancelled ? "cancelled"
                           : all_ok(run) ? "completed"
                                         : "failed"},
                {"tasks", std::move(tasks)},
                {"tokens", tokens_of(run.tokens)},
                {"quota_used", run.quota_used},
                {"elapsed_ms", run.elapsed.count() / 1'000'000},
                {"report", read_json(turnstile::to_json(run.report))}};
  return write_json(whole, 2) + "\n";
}

std::string to_text(const run_result& run, const config::plan& plan) {
  std::ostringstream out;
  put_groups(out, run, plan);
  std::size_t told = 0;
  for (const auto& task : run.tasks)
    if (task.status != task_status::ok && ++told <= 20)
      out << "  " << one_line(task.name) << ": " << to_string(task.status)
          << (task.why ? ": " + one_line(task.why->detail) : "") << '\n';
  if (told > 20)
    out << "  and " << told - 20 << " more; --json lists all\n";
  std::set<std::string> needed;
  for (const auto& task : plan.tasks)
    needed.insert(task.needs.begin(), task.needs.end());
  std::size_t last_tasks = 0;
  for (const auto& task : run.tasks)
    last_tasks += needed.contains(task.name) ? 0 : 1;
  for (const auto& task : run.tasks) {
    if (needed.contains(task.name) || task.status != task_status::ok
        || last_tasks > 8)
      continue;
    const auto value = read_json(task.record.result().output_json());
    out << '\n'
        << one_line(task.name) << ":\n"
        << (value.is_string() ? value.get<std::string>() : write_json(value, 2))
        << '\n';
  }
  const auto& r = run.report;
  out << "\nrun " << run.run_id << ": "
      << (run.cancelled ? "cancelled"
          : all_ok(run) ? "completed"
                        : "failed")
      << " in " << milliseconds(run.elapsed.count()) << "; "
      << r.completed_work() << " committed, at most " << r.peak_in_flight_work()
      << " at a time, " << r.requeues() << " requeued, " << r.drain_cycles()
      << " turns that submitted";
  if (total(run.tokens) > 0)
    out << "; tokens " << display(run.tokens);
  out << '\n';
  return out.str();
}

std::string progress_line(const run_progress& progress, duration elapsed,
                          std::size_t columns) {
  const auto waiting = progress.tasks - progress.ended - progress.running;
  auto line =
    std::to_string(progress.ended) + "/" + std::to_string(progress.tasks)
    + " done, " + std::to_string(progress.running) + " with the scheduler, "
    + std::to_string(waiting) + " waiting, " + std::to_string(progress.failed)
    + " failed, " + milliseconds(elapsed.count());
  if (line.size() > columns)
    line.resize(columns);
  return line;
}

std::string task_line(const run_progress& progress, const task_result& task) {
  auto line = "[" + std::to_string(progress.ended) + "/"
              + std::to_string(progress.tasks) + "] " + one_line(task.name)
              + " " + to_string(task.status) + " in "
              + milliseconds(task.record.elapsed_ns());
  if (task.record.attempts() > 1)
    line += ", " + std::to_string(task.record.attempts()) + " attempts";
  if (task.why)
    line += ": " + one_line(task.why->detail);
  return line;
}

} // namespace turnstile::node
