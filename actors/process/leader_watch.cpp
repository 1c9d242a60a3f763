#include "actors/process/leader_watch.hpp"

#include <csignal>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace turnstile {

namespace {

constexpr auto glance_interval = std::chrono::milliseconds{10};

unique_fd open_pidfd(pid_t pid) {
#ifdef SYS_pidfd_open
  return unique_fd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U))};
#else
  static_cast<void>(pid);
  return unique_fd{};
#endif
}

} // namespace

std::optional<leader_exit> peek_exit(pid_t pid) noexcept {
  siginfo_t info = {};
  auto id = static_cast<id_t>(pid);
  if (::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return leader_exit{}; // Somebody else reaped it.
  if (info.si_pid == 0)
    return std::nullopt;
  if (info.si_code == CLD_EXITED)
    return leader_exit{process_end::exited, info.si_status, 0};
  return leader_exit{process_end::signalled, 0, info.si_status};
}

void reap(pid_t pid) noexcept {
  ::waitpid(pid, nullptr, WNOHANG);
}

leader_watch::leader_watch(uv_loop_t& loop, pid_t pid, bool use_pidfd,
                           std::function<void()> maybe_ended) {
  auto held = use_pidfd ? open_pidfd(pid) : unique_fd{};
  if (held) {
    pidfd_.emplace(loop, std::move(held), UV_READABLE, std::move(maybe_ended));
    return;
  }
  glance_.emplace(loop, std::move(maybe_ended));
  glance_->start(glance_interval, glance_interval);
}

} // namespace turnstile
