#pragma once

#include "actors/process/process_exit.hpp"

#include <cstdint>
#include <functional>
#include <sys/types.h>

namespace turnstile {

/// What a running child has done so far.
struct process_progress {
  pid_t pid = 0; ///< Its id, and that of its session and group.
  std::uint64_t output_bytes = 0;
  std::uint64_t log_bytes = 0;
};

/// Whom to tell about a child. Both are called on the host's own thread, where
/// every other child waits meanwhile: hand the news on and return. They may
/// call the host's verbs, but must not throw and must not destroy the host.
struct process_callbacks {
  /// Called exactly once for every start, also for one that failed. After it,
  /// nothing is called for this child.
  std::function<void(process_exit)> on_exit;

  /// Called when the child's program runs, and then when bytes have come. May
  /// be empty. Bytes that come within `progress_interval` of the last call
  /// are told at its end.
  std::function<void(const process_progress&)> on_progress;
};

} // namespace turnstile
