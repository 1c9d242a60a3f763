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

/// Control over child processes. Each child leads a session and a group of
/// its own and talks to us over pipes. Nothing that it does, or leaves undone,
/// makes another child wait, and nothing that comes of it outlives it, this
/// host, or this program: each child has a keeper, a small process that sees
/// to that, whatever happens to us.
///
/// One thread serves all children. All verbs may be called from any thread,
/// return at once and are carried out in the order of the calls; what comes of
/// them is told by the callbacks.
class process_host {
public:
  /// Throws `std::system_error` if the system has no descriptors or threads
  /// left.
  process_host();

  /// Kills every child, tells their exits and waits for that: some
  /// milliseconds, or two seconds if a child cannot be killed.
  ~process_host();

  process_host(const process_host&) = delete;
  process_host& operator=(const process_host&) = delete;

  /// Starts a child. That it could not be started is told by `on_exit` too.
  process_ticket start(process_spec spec, process_callbacks callbacks);

  /// Asks the child and all that came of it to end (TERM), and kills them
  /// after `grace` if the child still runs. When it has obeyed, the rest is
  /// killed at once. Called again, the earlier end counts. Does nothing if the
  /// child has exited.
  void stop(process_ticket ticket, duration grace);

  /// Kills the child and all that came of it, also during the grace of a
  /// `stop`.
  void stop_now(process_ticket ticket);

private:
  std::unique_ptr<process_loop> loop_;
  std::atomic<std::uint64_t> last_number_ = 0;
  std::thread thread_;
};

} // namespace turnstile
