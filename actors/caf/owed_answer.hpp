#pragma once

#include "actors/caf/answer.hpp"
#include "core/base/error.hpp"
#include "core/base/result.hpp"

#include <caf/result.hpp>
#include <caf/typed_response_promise.hpp>

#include <optional>
#include <utility>

namespace turnstile {

/// The answer that a handler owes and gives later:
///
///   [this](const wire::AwaitWork& which) -> caf::result<wire::WorkEnded> {
///     owed_answer<wire::WorkEnded> owed{self};
///     auto later = owed.later();
///     waiting.emplace(id_of(which), std::move(owed));
///     return later;
///   }
///
/// Invariant: whoever asks is answered exactly once. If this goes before it
/// was settled, also because its actor ended, the answer is `backend_lost`.
/// (A bare promise that is dropped leaves the asker waiting on CAF 0.17.6.)
template <class T>
class owed_answer {
public:
  /// Owes nothing.
  owed_answer() = default;

  /// Owes the answer to the message that `self` is handling.
  template <class Self>
  explicit owed_answer(Self* self)
    : promise_(self->template make_response_promise<T>()) {}

  owed_answer(owed_answer&& other) noexcept
    : promise_(std::exchange(other.promise_, std::nullopt)) {}

  owed_answer& operator=(owed_answer&& other) noexcept {
    std::swap(promise_, other.promise_);
    return *this;
  }

  ~owed_answer() {
    if (promise_)
      settle(fail(errc::backend_lost, "the actor ended without an answer"));
  }

  /// Returns what the handler is to return. @pre it is owed
  [[nodiscard]] caf::result<T> later() const { return {*promise_}; }

  /// Answers. Does nothing if nothing is owed.
  void settle(result<T> outcome) {
    if (auto promise = std::exchange(promise_, std::nullopt))
      deliver(*promise, std::move(outcome));
  }

  [[nodiscard]] bool owed() const noexcept { return promise_.has_value(); }

private:
  std::optional<caf::typed_response_promise<T>> promise_;
};

} // namespace turnstile
