#pragma once

#include "actors/backend/submission_key.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace turnstile::testing {

/// What scripted backends were asked to do, for a test to look at meanwhile:
/// one for each backend, or the same for several. Any thread may look.
///
/// Invariant: `running() <= peak_running() <= order().size()`.
class scripted_calls {
public:
  /// Returns how many calls are not answered yet.
  [[nodiscard]] std::size_t running() const {
    std::lock_guard guard{mutex_};
    return running_;
  }

  /// Returns the most calls that were ever unanswered at the same time. One
  /// that is answered at once counts for that moment.
  [[nodiscard]] std::size_t peak_running() const {
    std::lock_guard guard{mutex_};
    return peak_;
  }

  /// Returns all calls in the order in which they began.
  [[nodiscard]] std::vector<submission_key> order() const {
    std::lock_guard guard{mutex_};
    return order_;
  }

private:
  friend class scripted_call;

  void begin(const submission_key& which) {
    std::lock_guard guard{mutex_};
    order_.push_back(which);
    peak_ = std::max(peak_, ++running_);
  }

  void end() {
    std::lock_guard guard{mutex_};
    --running_;
  }

  mutable std::mutex mutex_;
  std::vector<submission_key> order_;
  std::size_t running_ = 0;
  std::size_t peak_ = 0;
};

/// One call, as long as it runs. Is written down nowhere if `where` is null.
class scripted_call {
public:
  scripted_call(std::shared_ptr<scripted_calls> where,
                const submission_key& which)
    : where_(std::move(where)) {
    if (where_)
      where_->begin(which);
  }

  scripted_call(scripted_call&& other) noexcept = default;
  scripted_call& operator=(scripted_call&& other) = delete;

  ~scripted_call() {
    if (where_)
      where_->end();
  }

private:
  std::shared_ptr<scripted_calls> where_;
};

} // namespace turnstile::testing
