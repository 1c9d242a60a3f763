#include "actors/node/progress_line.hpp"

#include "actors/node/text_width.hpp"

namespace turnstile::node {

std::string milliseconds(std::int64_t ns) {
  if (ns < 10'000'000'000)
    return std::to_string(ns / 1'000'000) + " ms";
  return std::to_string(ns / 1'000'000'000) + " s";
}

std::string progress_line(const run_progress& progress, duration elapsed,
                          std::size_t columns) {
  const auto waiting = progress.tasks - progress.ended - progress.running;
  const auto done = std::to_string(progress.ended) + "/"
                    + std::to_string(progress.tasks) + " done";
  const auto rest = ", " + std::to_string(progress.failed) + " failed, "
                    + milliseconds(elapsed.count());
  auto line = done + ", " + std::to_string(progress.running)
              + " with the scheduler, " + std::to_string(waiting) + " waiting"
              + rest;
  for (const auto& shorter : {done + rest, done})
    if (columns_of(line) > columns)
      line = shorter;
  return shortened(line, columns);
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
