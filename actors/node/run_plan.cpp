#include "actors/agent/agent_scheduler.hpp"
#include "actors/node/exit_code.hpp"
#include "actors/node/plan_run.hpp"
#include "actors/node/plan_task.hpp"
#include "actors/node/render.hpp"
#include "actors/node/run_flags.hpp"
#include "actors/node/signals.hpp"
#include "config/plan/load.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace turnstile::node {

namespace {

/// Where people see how far a run is: one line that is written over on a
/// terminal, a line per task elsewhere.
class progress_display {
public:
  explicit progress_display(const run_flags& flags)
    : quiet_(flags.quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

  void task_ended(const run_progress& progress, const task_result& task) {
    if (quiet_)
      return;
    if (!terminal_) {
      std::fprintf(stderr, "%s\n", task_line(progress, task).c_str());
      return;
    }
    const auto elapsed = std::chrono::steady_clock::now() - begun_;
    std::fprintf(stderr, "\r\033[K%s",
                 progress_line(progress, elapsed, columns()).c_str());
    std::fflush(stderr);
  }

  void end() const {
    if (terminal_ && !quiet_)
      std::fprintf(stderr, "\r\033[K");
  }

private:
  static std::size_t columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
      return 79;
    return std::max<std::size_t>(size.ws_col, 2) - 1;
  }

  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point begun_ =
    std::chrono::steady_clock::now();
};

int complain(const failure& why) {
  std::fprintf(stderr, "turnstile: %s\n", why.detail.c_str());
  return exit_wrong_input;
}

/// Writes the results, which people rely on to be whole.
bool print(const std::string& text) {
  const auto written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && written == text.size())
    return true;
  std::fprintf(stderr, "turnstile: cannot write the results: %s\n",
               std::strerror(errno));
  return false;
}

} // namespace

int run_plan(const run_flags& flags) {
  auto plan = config::load_plan(flags.plan);
  if (!plan)
    return complain(plan.error());
  block_interrupts();
  node_config<> settings;
  caf::actor_system system{settings};
  auto host = std::make_shared<process_host>();
  agent_scheduler_options options;
  options.concurrency = flags.concurrency.value_or(plan->concurrency);
  options.backends = spawn_backends(system, *plan, host, flags.grace);
  auto backends = options.backends;
  auto scheduler = spawn_agent_scheduler(system, std::move(options));
  if (!scheduler)
    return complain(scheduler.error());
  progress_display display{flags};
  std::promise<run_result> promised;
  auto ended = promised.get_future();
  auto run = spawn_plan_run(
    system, *plan, *scheduler,
    {[&](const run_progress& progress, const task_result& task) {
       display.task_ended(progress, task);
     },
     [&](run_result result) { promised.set_value(std::move(result)); }});
  std::atomic<bool> interrupted = false;
  run_result result;
  {
    interrupts watching{[&](int count) {
      interrupted = true;
      anon_mail(wire::CancelRequest{}).send(run);
      if (count < 2)
        return;
      // Nobody waits any longer: the children are killed with their backends.
      for (const auto& [name, backend] : backends.by_name)
        caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
    }};
    anon_mail(run_atom_v).send(run);
    result = ended.get();
  }
  display.end();
  const auto printed =
    print(flags.json ? to_json(result) : to_text(result, *plan));
  caf::anon_send_exit(*scheduler, caf::exit_reason::user_shutdown);
  for (const auto& [name, backend] : backends.by_name)
    caf::anon_send_exit(backend, caf::exit_reason::user_shutdown);
  const auto code = exit_code(result, interrupted);
  return code == exit_ok && !printed ? exit_tasks_failed : code;
}

} // namespace turnstile::node
