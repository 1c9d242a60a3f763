#include "actors/node/progress_display.hpp"

#include "actors/node/progress_line.hpp"

#include <string>
#include <unistd.h>

namespace turnstile::node {

progress_display::progress_display(bool quiet)
  : quiet_(quiet), live_(look_of(STDERR_FILENO).columns.has_value()) {}

void progress_display::begin(std::size_t tasks) {
  if (live())
    show({tasks, 0, 0, 0});
}

void progress_display::task_ended(const run_progress& progress,
                                  const task_result& task) {
  if (live())
    show(progress);
  else if (!quiet_)
    write_whole(STDERR_FILENO, task_line(progress, task) + "\n");
}

void progress_display::end() const {
  if (live())
    write_whole(STDERR_FILENO, "\r\033[K");
}

void progress_display::show(const run_progress& progress) const {
  // A window may have another width than it had a moment ago.
  const auto columns = look_of(STDERR_FILENO).columns.value_or(0);
  const auto elapsed = std::chrono::steady_clock::now() - begun_;
  write_whole(STDERR_FILENO,
              "\r\033[K" + progress_line(progress, elapsed, columns));
}

} // namespace turnstile::node
