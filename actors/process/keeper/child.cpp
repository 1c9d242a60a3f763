#include "actors/process/keeper/child.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace turnstile::keeper {

namespace {

constexpr int failed_before_exec = 127;

// Those that the kernel knows, and the size of its sets of them.
constexpr int signal_count = NSIG - 1;
constexpr auto signal_set_size = std::size_t{signal_count / 8};

// The kernel is asked directly: the C library keeps two signals (32 and 33) for
// itself and refuses to reset them, but they may have come to us ignored. What
// posix_spawn of glibc starts has them so, as have the recipes of GNU make.
void reset_signals() {
  // At least the kernel's struct sigaction, whose fields are not in the same
  // order everywhere. All zeros is the default disposition in any order.
  constexpr unsigned long fresh[16] = {};
  static_assert(SIG_DFL == nullptr);
  for (int signal = 1; signal <= signal_count; ++signal)
    // Only SIGKILL and SIGSTOP refuse: they cannot have been changed.
    ::syscall(SYS_rt_sigaction, signal, fresh, nullptr, signal_set_size);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// As execvp: what is missing or closed is passed over, and closed wins.
news run(char** candidates, int count, char** arguments) {
  news worst{event::not_started, ENOENT, step::program};
  for (int i = 0; i < count; ++i) {
    ::execve(candidates[i], arguments, ::environ);
    const int error = errno;
    if (error == ENOENT && ::access(candidates[i], F_OK) == 0)
      return {event::not_started, ENOENT, step::interpreter};
    if (error == EACCES)
      worst.value = EACCES;
    else if (error != ENOENT && error != ENOTDIR)
      return {event::not_started, error, step::program};
  }
  return worst;
}

news become_child(char** argv, pid_t keeper) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) // It died before we asked.
    ::_exit(failed_before_exec);
  ::setsid();
  if (argv[workdir_argument][0] != '\0' && ::chdir(argv[workdir_argument]) != 0)
    return {event::not_started, errno, step::workdir};
  reset_signals();
  const int count = std::atoi(argv[count_argument]);
  return run(argv + first_candidate, count, argv + first_candidate + count);
}

} // namespace

bool start_child(char** argv, pid_t& child, news& failed) {
  int gate[2]; // Closed by the child's exec, unless it says why not.
  failed = {event::not_started, 0, step::fork};
  const auto keeper = ::getpid();
  if (::pipe2(gate, O_CLOEXEC) != 0 || (child = ::fork()) < 0) {
    failed.value = errno;
    return false;
  }
  if (child == 0) {
    const auto why = become_child(argv, keeper);
    // A few bytes into an empty pipe: all or nothing.
    const auto told = ::write(gate[1], &why, sizeof why);
    ::_exit(told < 0 ? failed_before_exec + 1 : failed_before_exec);
  }
  ::close(gate[1]);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::close(stream);
  ssize_t got = 0;
  do
    got = ::read(gate[0], &failed, sizeof failed);
  while (got < 0 && errno == EINTR);
  ::close(gate[0]);
  if (got <= 0)
    return true;
  ::waitpid(child, nullptr, 0);
  return false;
}

} // namespace turnstile::keeper
