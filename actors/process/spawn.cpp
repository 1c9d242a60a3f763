#include "actors/process/spawn.hpp"

#include "actors/process/exec_plan.hpp"
#include "actors/process/pipe.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace turnstile {

namespace {

std::error_code system_error(int number) {
  return {number, std::generic_category()};
}

bool out_of_files(std::error_code error) {
  return error == std::errc::too_many_files_open
         || error == std::errc::too_many_files_open_in_system;
}

start_failure no_pipe(std::error_code error) {
  return {out_of_files(error) ? start_problem::too_many_files
                              : start_problem::other,
          error, "pipe"};
}

start_failure failed_exec(exec_report report, const process_spec& spec) {
  auto error = system_error(report.error);
  const auto& program = spec.command.front();
  switch (report.step) {
  case exec_step::streams:
    return {start_problem::other, error, "standard streams"};
  case exec_step::workdir:
    return {start_problem::no_workdir, error, spec.workdir};
  case exec_step::interpreter:
    return {start_problem::not_executable, error, "interpreter of " + program};
  case exec_step::program:
    break;
  }
  if (report.error == ENOENT || report.error == ENOTDIR)
    return {start_problem::no_such_program, error, program};
  if (report.error == EACCES || report.error == ENOEXEC)
    return {start_problem::not_executable, error, program};
  return {out_of_files(error) ? start_problem::too_many_files
                              : start_problem::other,
          error, program};
}

// In a function of its own, because the child runs on our stack: whatever it
// spoils is gone when this frame is. Every signal stays blocked meanwhile, or
// a handler of ours could run in the child and write to our memory.
pid_t fork_into(const exec_plan& plan, const child_streams& streams,
                pid_t parent) {
  auto pid = ::vfork();
  if (pid == 0)
    plan.become(streams, parent);
  return pid;
}

pid_t fork_quietly(const exec_plan& plan, const child_streams& streams) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  auto pid = fork_into(plan, streams, ::getpid());
  auto error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// Returns nothing once the program runs.
bool read_report(int fd, exec_report& report) {
  while (true) {
    auto got = ::read(fd, &report, sizeof report);
    if (got < 0 && errno == EINTR)
      continue;
    return got == static_cast<ssize_t>(sizeof report);
  }
}

} // namespace

tl::expected<spawned_child, start_failure> spawn(const process_spec& spec) {
  auto plan = exec_plan::make(spec);
  if (!plan)
    return tl::unexpected{plan.error()};
  auto input = make_pipe();
  auto output = make_pipe();
  auto log = make_pipe();
  auto report = make_pipe();
  for (auto* made : {&input, &output, &log, &report})
    if (!*made)
      return tl::unexpected{no_pipe(made->error())};
  auto pid = fork_quietly(*plan, {input->read.get(), output->write.get(),
                                  log->write.get(), report->write.get()});
  if (pid < 0)
    return tl::unexpected{start_failure{
      start_problem::fork_refused, system_error(errno), spec.command.front()}};
  report->write.reset();
  auto said = exec_report{};
  if (read_report(report->read.get(), said)) {
    ::waitpid(pid, nullptr, 0);
    return tl::unexpected{failed_exec(said, spec)};
  }
  return spawned_child{pid, std::move(input->write), std::move(output->read),
                       std::move(log->read)};
}

} // namespace turnstile
