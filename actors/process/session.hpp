#pragma once

#include <chrono>
#include <sys/types.h>
#include <vector>

namespace turnstile {

/// One process of this machine, as /proc shows it.
struct process_entry {
  pid_t pid = 0;
  pid_t group = 0;
  pid_t session = 0;
};

/// Returns the processes that live now. Costs some microseconds for each; is
/// empty where there is no /proc.
std::vector<process_entry> list_processes();

/// A listing that those share who need one at about the same time, because
/// a thousand children may be ended at once.
class process_census {
public:
  /// Returns a listing that is at most 20 ms old.
  const std::vector<process_entry>& recent();

private:
  std::vector<process_entry> listed_;
  std::chrono::steady_clock::time_point listed_at_{};
};

/// Sends `signal` to the group that `leader` leads.
///
/// Here and below, `leader` is a child that nobody has reaped: as long as
/// that is so, no stranger can have its id.
void signal_group(pid_t leader, int signal) noexcept;

/// Sends `signal` to those processes in `listed` that belong to the session
/// of `leader`, but have left its group, as what runs below timeout(1) does.
/// Who has also left the session is not found.
void signal_stragglers(pid_t leader, int signal,
                       const std::vector<process_entry>& listed);

} // namespace turnstile
