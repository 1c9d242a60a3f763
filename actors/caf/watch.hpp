#pragma once

#include <caf/error.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace turnstile {

namespace detail {

/// One callback of a monitor. Invariant: `call` is set while `open`.
struct watch_entry {
  std::function<void(const caf::error&)> call;
  std::function<void()> detach; // stops watching; may be empty
  bool open = true;             // neither called nor disposed yet

  /// Calls once, and not at all when disposed. The callback may dispose its
  /// own watch.
  void fire(const caf::error& reason) {
    if (!std::exchange(open, false))
      return;
    auto now = std::exchange(call, nullptr);
    detach = nullptr;
    now(reason);
  }
};

} // namespace detail

/// Stands for one `monitor(...)`. Belongs to the actor that monitors, which
/// alone may use it. Letting go of it does not end the monitoring.
class watch {
public:
  watch() = default;

  explicit watch(std::shared_ptr<detail::watch_entry> entry)
    : entry_(std::move(entry)) {}

  /// Ends the monitoring: the callback is dropped and will not be called, even
  /// if the actor is down already and the news waits in the mailbox. Does
  /// nothing if it was called or disposed before.
  void dispose() {
    if (!open())
      return;
    auto entry = std::exchange(entry_, nullptr);
    entry->open = false;
    entry->call = nullptr;
    if (auto detach = std::exchange(entry->detach, nullptr))
      detach();
  }

  /// Returns whether the callback may still be called.
  [[nodiscard]] bool open() const noexcept {
    return entry_ != nullptr && entry_->open;
  }

private:
  std::shared_ptr<detail::watch_entry> entry_;
};

} // namespace turnstile
