#pragma once

#include "actors/process/child_process.hpp"
#include "actors/process/unique_fd.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

namespace turnstile {

/// Start this child under this number.
struct start_order {
  std::uint64_t number = 0;
  process_spec spec;
  process_callbacks callbacks;
};

/// Stop the child of this number, if there still is one.
struct stop_order {
  std::uint64_t number = 0;
  duration grace{};
};

using process_order = std::variant<start_order, stop_order>;

/// The children of one host, on an event loop that one thread runs.
///
/// Invariants:
/// (1) Orders are carried out in the order in which they were posted.
/// (2) A child is in `children_` from its start until it has ended.
class process_loop {
public:
  /// Throws `std::system_error` if the system has no descriptors left.
  process_loop();

  /// Takes an order. Any thread may call this, also one of the callbacks.
  void post(process_order order);

  /// Ends every child at once and lets `run` return, at the latest two
  /// seconds from now; what cannot be killed by then is reported as lost.
  /// Starts that are still waiting are answered as stopped. Any thread may
  /// call this, once. What a callback starts after it may go unanswered.
  void close();

  /// Runs the loop until it is closed. The calling thread must block SIGPIPE.
  void run();

private:
  void wake();
  void take_orders();
  void obey(start_order& order);
  void obey(stop_order& order);
  void refuse_waiting();
  void end_all();
  void abandon_all();
  void retire(std::uint64_t number);
  [[nodiscard]] std::vector<child_process*> running() const;

  event_loop loop_;
  unique_fd keeper_image_;
  std::vector<char> chunk_;

  std::mutex mutex_; // Guards the next two.
  std::deque<process_order> orders_;
  bool closing_ = false;

  std::map<std::uint64_t, std::unique_ptr<child_process>> children_;
  std::vector<std::unique_ptr<child_process>> ended_; // Gone at the next wake.
  bool ending_ = false;
  loop_timer patience_;
  loop_wakeup wakeup_;
};

} // namespace turnstile
