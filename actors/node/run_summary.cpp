#include "actors/node/run_summary.hpp"

#include "actors/node/json_text.hpp"
#include "actors/node/progress_line.hpp"
#include "actors/node/summary_table.hpp"
#include "actors/node/text_width.hpp"
#include "messages/token_usage.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace turnstile::node {

namespace {

std::size_t columns_or_endless(const stream_look& look) {
  return look.columns.value_or(std::numeric_limits<std::size_t>::max() / 2);
}

/// Colours the first `word` of `text` behind `from`, wherever a line broke.
void colour(std::string& text, std::size_t from, std::string_view word,
            task_status status, const stream_look& look) {
  const auto at = text.find(word, from);
  if (!look.colours || at == text.npos)
    return;
  const auto* begin = status == task_status::ok          ? "\x1b[32m"
                      : status == task_status::error     ? "\x1b[31m"
                      : status == task_status::timed_out ? "\x1b[31m"
                                                         : "\x1b[33m";
  text.insert(at + word.size(), "\x1b[0m");
  text.insert(at, begin);
}

/// What is not ok, and why: twenty at most.
std::string failures(const run_result& run, const stream_look& look) {
  const auto columns = columns_or_endless(look);
  std::string text;
  std::size_t told = 0;
  for (const auto& task : run.tasks) {
    if (task.status == task_status::ok || ++told > 20)
      continue;
    const std::string word = to_string(task.status);
    const auto name = shortened(one_line(task.name), columns / 2);
    auto lines =
      wrapped("  " + name + ": " + word
                + (task.why ? ": " + one_line(task.why->detail) : ""),
              columns, 4);
    colour(lines, 2 + name.size(), word, task.status, look);
    text += lines + '\n';
  }
  if (told > 20)
    text +=
      wrapped("  and " + std::to_string(told - 20) + " more; --json lists all",
              columns, 4)
      + '\n';
  return text;
}

/// What the tasks said that nobody needs, if they are few.
std::string last_words(const run_result& run, const config::plan& plan,
                       const stream_look& look) {
  std::set<std::string> needed;
  for (const auto& task : plan.tasks)
    needed.insert(task.needs.begin(), task.needs.end());
  std::string text;
  std::size_t last_tasks = 0;
  for (const auto& task : run.tasks) {
    if (needed.contains(task.name) || ++last_tasks > 8)
      continue;
    if (task.status != task_status::ok)
      continue;
    const auto value = read_json(task.record.result().output_json());
    auto said =
      value.is_string() ? value.get<std::string>() : write_json(value, 2);
    if (look.columns)
      said = without_controls(said, "\n\t");
    text += '\n' + shortened(one_line(task.name), columns_or_endless(look) - 1)
            + ":\n" + said + '\n';
  }
  return last_tasks > 8 ? "" : text;
}

std::string last_line(const run_result& run, const stream_look& look) {
  const auto& r = run.report;
  const std::string word = status_word(run);
  auto text = "run " + run.run_id + ": " + word + " in "
              + milliseconds(run.elapsed.count()) + "; "
              + std::to_string(r.completed_work()) + " committed, at most "
              + std::to_string(r.peak_in_flight_work()) + " at a time, "
              + std::to_string(r.requeues()) + " requeued, "
              + std::to_string(r.drain_cycles()) + " turns that submitted";
  if (total(run.tokens) > 0)
    text += "; tokens " + display(run.tokens);
  text = wrapped(text, columns_or_endless(look), 2);
  colour(text, 4 + run.run_id.size(), word,
         run.cancelled      ? task_status::cancelled
         : word == "failed" ? task_status::error
                            : task_status::ok,
         look);
  return text;
}

} // namespace

std::string to_text(const run_result& run, const config::plan& plan,
                    const stream_look& look) {
  return summary_table(run, plan, columns_or_endless(look))
         + failures(run, look) + last_words(run, plan, look) + '\n'
         + last_line(run, look) + '\n';
}

} // namespace turnstile::node
