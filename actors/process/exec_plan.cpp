#include "actors/process/exec_plan.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace turnstile {

namespace {

constexpr auto report_fd = STDERR_FILENO + 1;
constexpr auto failed_before_exec = 127;

// Those that the kernel knows, and the size of its sets of them.
constexpr auto signal_count = NSIG - 1;
constexpr auto signal_set_size = std::size_t{signal_count / 8};

// What the C library searches when there is no PATH.
constexpr auto default_path = std::string_view{"/bin:/usr/bin"};

bool has_nul(const std::string& text) {
  return text.find('\0') != std::string::npos;
}

start_failure invalid(std::string name) {
  return {start_problem::invalid, {}, std::move(name)};
}

std::vector<std::string> candidates(const std::string& program,
                                    std::string_view path) {
  if (program.find('/') != std::string::npos)
    return {program};
  auto out = std::vector<std::string>{};
  while (true) {
    auto end = std::min(path.find(':'), path.size());
    auto folder = path.substr(0, end);
    auto& file = out.emplace_back(folder.empty() ? "." : folder);
    file.append("/").append(program);
    if (end == path.size())
      return out;
    path.remove_prefix(end + 1);
  }
}

// The kernel is asked directly: the C library keeps two signals (32 and 33) for
// itself and refuses to reset them, but they may have come to us ignored. What
// posix_spawn of glibc starts has them so, as have the recipes of GNU make.
void reset_signals() noexcept {
  // At least the kernel's struct sigaction, whose fields are not in the same
  // order everywhere. All zeros is the default disposition in any order.
  constexpr unsigned long fresh[16] = {};
  static_assert(SIG_DFL == nullptr);
  for (int signal = 1; signal <= signal_count; ++signal)
    // Only SIGKILL and SIGSTOP refuse: they cannot have been changed.
    ::syscall(SYS_rt_sigaction, signal, fresh, nullptr, signal_set_size);
}

void unblock_signals() noexcept {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_from(int first) noexcept {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0U, 0U) == 0)
    return;
#endif
  // Before Linux 5.9. Ours are close-on-exec anyhow; this is for descriptors
  // of the program around us, and bounded because the limit may be huge.
  constexpr auto bound = rlim_t{65536};
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  auto end = static_cast<int>(std::min(limit.rlim_cur, bound));
  for (int fd = first; fd < end; ++fd)
    ::close(fd);
}

// Puts the streams to 0, 1, 2 and the report to 3, and closes the rest.
bool place(const child_streams& streams) noexcept {
  // Nothing is overwritten before it was copied: all are above 2, and 3 is
  // written last.
  if (::dup2(streams.input, STDIN_FILENO) < 0
      || ::dup2(streams.output, STDOUT_FILENO) < 0
      || ::dup2(streams.log, STDERR_FILENO) < 0)
    return false;
  if (streams.report != report_fd
      && ::dup3(streams.report, report_fd, O_CLOEXEC) < 0)
    return false;
  close_from(report_fd + 1);
  return true;
}

[[noreturn]] void give_up(int fd, exec_report report) noexcept {
  // Eight bytes into an empty pipe: all or nothing.
  if (::write(fd, &report, sizeof report) < 0) {
    // Nobody is left to tell.
  }
  ::_exit(failed_before_exec);
}

} // namespace

tl::expected<exec_plan, start_failure>
exec_plan::make(const process_spec& spec) {
  if (spec.command.empty() || spec.command.front().empty())
    return tl::unexpected{invalid("without a command")};
  if (std::any_of(spec.command.begin(), spec.command.end(), has_nul))
    return tl::unexpected{invalid("argument with a NUL byte")};
  if (has_nul(spec.workdir))
    return tl::unexpected{invalid("workdir with a NUL byte")};
  auto plan = exec_plan{};
  for (const auto& [name, value] : spec.environment) {
    if (name.empty() || name.find('=') != std::string::npos || has_nul(name)
        || has_nul(value))
      return tl::unexpected{invalid("environment variable " + name)};
    plan.variables_.emplace_back(name).append("=").append(value);
  }
  auto path = spec.environment.find("PATH");
  plan.candidates_ =
    candidates(spec.command.front(),
               path == spec.environment.end() ? default_path : path->second);
  if (!spec.workdir.empty())
    plan.workdir_ = spec.workdir.c_str();
  // execve promises not to write through its pointers to char.
  for (const auto& argument : spec.command)
    plan.arguments_.push_back(const_cast<char*>(argument.c_str()));
  for (auto& variable : plan.variables_)
    plan.environment_.push_back(variable.data());
  plan.arguments_.push_back(nullptr);
  plan.environment_.push_back(nullptr);
  return plan;
}

void exec_plan::become(const child_streams& streams,
                       pid_t parent) const noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // It died before we asked.
    ::_exit(failed_before_exec);
  ::setsid();
  reset_signals();
  if (!place(streams))
    give_up(streams.report, {exec_step::streams, errno});
  if (workdir_ && ::chdir(workdir_) != 0)
    give_up(report_fd, {exec_step::workdir, errno});
  unblock_signals();
  give_up(report_fd, run());
}

// As execvp: what is missing or closed is passed over, and closed wins.
exec_report exec_plan::run() const noexcept {
  auto worst = exec_report{exec_step::program, ENOENT};
  for (const auto& candidate : candidates_) {
    ::execve(candidate.c_str(), arguments_.data(), environment_.data());
    auto error = errno;
    if (error == ENOENT && ::access(candidate.c_str(), F_OK) == 0)
      return {exec_step::interpreter, ENOENT};
    if (error == EACCES)
      worst.error = EACCES;
    else if (error != ENOENT && error != ENOTDIR)
      return {exec_step::program, error};
  }
  return worst;
}

} // namespace turnstile
