#pragma once

#include "actors/process/process_callbacks.hpp"
#include "actors/process/process_spec.hpp"
#include "core/base/time.hpp"

#include <atomic>
#include <compare>
#include <cstdint>
#include <memory>
#include <thread>

namespace turnstile {

class process_loop;

/// Names one start of one host. Never used twice.
struct process_ticket {
  std::uint64_t number = 0;
  friend auto operator<=>(const process_ticket&,
                          const process_ticket&) = default;
};

struct process_host_options {
  /// Learn of exits through pidfds. False behaves as on Linux before 5.3.
  bool use_pidfd = true;
};

/// Control over child processes. Each child leads a session and a group of
/// its own, talks to us over pipes, and does not outlive this host; nothing
/// that it does, or leaves undone, makes another child wait.
///
/// One thread serves all children. All verbs may be called from any thread,
/// return at once and are carried out in the order of the calls; what comes of
/// them is told by the callbacks.
class process_host {
public:
  /// Throws `std::system_error` if the system has no descriptors or threads
  /// left.
  explicit process_host(process_host_options options = {});

  /// Kills every child, tells their exits and waits for that: some
  /// milliseconds, or two seconds if a child cannot be killed.
  ~process_host();

  process_host(const process_host&) = delete;
  process_host& operator=(const process_host&) = delete;

  /// Starts a child. That it could not be started is told by `on_exit` too.
  process_ticket start(process_spec spec, process_callbacks callbacks);

  /// Asks the child's whole group to end (TERM), and kills it after `grace`
  /// if the leader still runs. When the leader has obeyed, the rest of the
  /// group is killed at once. Called again, the earlier end counts. Does
  /// nothing if the child has exited.
  void stop(process_ticket ticket, duration grace);

  /// Kills the child's whole group, also during the grace of a `stop`.
  void stop_now(process_ticket ticket);

private:
  std::unique_ptr<process_loop> loop_;
  std::atomic<std::uint64_t> last_number_ = 0;
  std::thread thread_;
};

} // namespace turnstile
