#pragma once

#include "actors/process/loop_handles.hpp"
#include "actors/process/process_exit.hpp"

#include <functional>
#include <optional>
#include <sys/types.h>

namespace turnstile {

/// How a child ended: the part of a `process_exit` that the system knows.
struct leader_exit {
  process_end end = process_end::lost;
  int code = 0;
  int signal = 0;
};

/// Returns how our child `pid` ended, or nothing while it runs. Does not reap
/// it, so its id stays its own.
std::optional<leader_exit> peek_exit(pid_t pid) noexcept;

/// Reaps our child `pid` if it has ended; never waits.
void reap(pid_t pid) noexcept;

/// Calls back on the loop when a child may have ended, once or again and
/// again: ask `peek_exit`.
///
/// Watches a pidfd. Where there is none (Linux before 5.3, or no descriptor
/// left) it looks every few milliseconds. It does not use SIGCHLD: a signal's
/// disposition belongs to the whole program, and this is a library.
class leader_watch {
public:
  leader_watch(uv_loop_t& loop, pid_t pid, bool use_pidfd,
               std::function<void()> maybe_ended);

private:
  std::optional<fd_watch> pidfd_;
  std::optional<loop_timer> glance_;
};

} // namespace turnstile
