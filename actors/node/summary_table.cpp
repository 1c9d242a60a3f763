#include "actors/node/summary_table.hpp"

#include "actors/node/progress_line.hpp"
#include "actors/node/text_width.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace turnstile::node {

namespace {

struct row {
  std::string name;
  std::vector<std::string> cells; ///< count, ok, not ok, attempts; busy last
};

/// A column of numbers: where it is in a row, and how wide it is.
struct column {
  std::size_t cell;
  std::size_t width;
};

row row_of(const std::string& name, const config::task_group& group,
           const run_result& run) {
  std::size_t ok = 0;
  std::uint64_t attempts = 0;
  std::int64_t busy = 0;
  for (std::size_t i = 0; i < group.count; ++i) {
    const auto& task = run.tasks[group.first + i];
    ok += task.status == task_status::ok ? 1 : 0;
    attempts += task.record.attempts();
    busy += task.record.elapsed_ns();
  }
  return {one_line(name),
          {std::to_string(group.count), std::to_string(ok),
           std::to_string(group.count - ok), std::to_string(attempts),
           milliseconds(busy)}};
}

std::vector<row> rows_of(const run_result& run, const config::plan& plan) {
  std::vector<std::pair<std::string, config::task_group>> groups(
    plan.groups.begin(), plan.groups.end());
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  std::vector<row> rows{
    {"tasks", {"count", "ok", "not ok", "attempts", "busy"}}};
  for (const auto& [name, group] : groups)
    rows.push_back(row_of(name, group, run));
  return rows;
}

/// Behind the last column: the gap to the time, and that.
std::size_t width_of_times(const std::vector<row>& rows) {
  std::size_t width = 0;
  for (const auto& one : rows)
    width = std::max(width, one.cells.back().size());
  return 3 + width;
}

} // namespace

std::string summary_table(const run_result& run, const config::plan& plan,
                          std::size_t columns) {
  const auto rows = rows_of(run, plan);
  std::vector<column> shown{{0, 8}, {1, 8}, {2, 8}, {3, 10}};
  auto taken = 34 + width_of_times(rows);
  if (columns < taken + 24) {
    shown = {{1, 6}, {2, 8}};
    taken = 14 + width_of_times(rows);
  }
  std::size_t width = 0;
  for (const auto& one : rows)
    width = std::max(width, columns_of(one.name));
  width = std::min(width, columns > taken + 5 ? columns - taken : 5);
  std::string text;
  for (const auto& one : rows) {
    const auto name = shortened(one.name, width);
    text += name + std::string(width - columns_of(name), ' ');
    for (const auto& [cell, room] : shown) {
      const auto& value = one.cells[cell];
      text +=
        std::string(room > value.size() ? room - value.size() : 1, ' ') + value;
    }
    text += "   " + one.cells.back() + '\n';
  }
  return text;
}

} // namespace turnstile::node
