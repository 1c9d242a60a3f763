#pragma once

#include "actors/caf/error.hpp"
#include "core/base/result.hpp"

#include <caf/response_promise.hpp>
#include <caf/result.hpp>
#include <caf/typed_response_promise.hpp>

#include <type_traits>
#include <utility>

namespace turnstile {

/// Turns what core says into what a handler returns:
/// `return answer(core.cancel(id));`.
template <class T>
caf::result<T> answer(result<T> outcome) {
  if (!outcome)
    return to_error(outcome.error());
  if constexpr (std::is_void_v<T>)
    return {};
  else
    return std::move(*outcome);
}

/// Answers a request that was promised an answer, which is done once. See
/// `owed_answer` for a promise that cannot be forgotten.
template <class T>
void deliver(caf::typed_response_promise<T>& promise,
             std::type_identity_t<result<T>> outcome) {
  if (!outcome) {
    promise.deliver(to_error(outcome.error()));
    return;
  }
  if constexpr (!std::is_void_v<T>) {
    promise.deliver(std::move(*outcome));
  } else {
#if TURNSTILE_OLD_CAF
    static_cast<caf::response_promise&>(promise).deliver(caf::unit);
#else
    promise.deliver();
#endif
  }
}

} // namespace turnstile
