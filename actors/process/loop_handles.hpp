#pragma once

#include "actors/process/unique_fd.hpp"
#include "core/base/time.hpp"

#include <functional>
#include <uv.h>

namespace turnstile {

/// An event loop. What is on it must be destroyed before it.
class event_loop {
public:
  /// Throws `std::system_error` if the system has no descriptors left.
  event_loop();
  ~event_loop();
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;

  [[nodiscard]] uv_loop_t& get() noexcept { return loop_; }

private:
  uv_loop_t loop_ = {};
};

/// A libuv handle together with what to call. libuv wants it to stay where it
/// is until the loop has said goodbye to it, which is after its owner is
/// gone; so an owner may be destroyed from inside the call.
template <class Handle>
struct loop_block {
  Handle handle = {};
  std::function<void()> call;
};

/// Calls back on the loop some time from now, once or again and again.
class loop_timer {
public:
  loop_timer(uv_loop_t& loop, std::function<void()> due);
  ~loop_timer();
  loop_timer(const loop_timer&) = delete;
  loop_timer& operator=(const loop_timer&) = delete;

  /// Arms it, in place of whatever it was armed for; whole milliseconds,
  /// rounded up. A `repeat` of zero means once.
  void start(duration first, duration repeat = duration::zero());
  void stop();

private:
  loop_block<uv_timer_t>* block_;
};

/// Owns a pipe's end or another descriptor that can be polled, and calls back
/// on the loop while it is ready. Makes it non-blocking.
class fd_watch {
public:
  /// `events` are those of `uv_poll_event`. Errors and hang-ups count as
  /// ready: the next read or write will say what it is.
  fd_watch(uv_loop_t& loop, unique_fd fd, int events,
           std::function<void()> ready);
  ~fd_watch();
  fd_watch(const fd_watch&) = delete;
  fd_watch& operator=(const fd_watch&) = delete;

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
  unique_fd fd_;
  loop_block<uv_poll_t>* block_;
};

/// Lets other threads wake the loop.
class loop_wakeup {
public:
  loop_wakeup(uv_loop_t& loop, std::function<void()> woken);
  ~loop_wakeup();
  loop_wakeup(const loop_wakeup&) = delete;
  loop_wakeup& operator=(const loop_wakeup&) = delete;

  /// The call follows on the loop; several signals may lead to one. The only
  /// function here that other threads may use.
  void signal();

private:
  loop_block<uv_async_t>* block_;
};

} // namespace turnstile
