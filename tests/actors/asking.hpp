#pragma once

#include "actors/caf/caf.hpp"
#include "core/base/result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

// Questions that are asked in a still world, where nobody waits for an answer.

namespace turnstile::testing {

/// An actor that asks one question when it begins, `asking(self)`, tells
/// `heard(result<T>)` what became of it, and ends.
template <class T, class Asking, class Heard>
struct asker {
  asker(caf::event_based_actor* selfptr, Asking how, Heard to)
    : self(selfptr), asking(std::move(how)), heard(std::move(to)) {}

  caf::behavior make_behavior() {
    auto failed = [to = heard, me = self](const caf::error& why) {
      to(result<T>{fail(to_failure(me->system(), why))});
    };
    if constexpr (std::is_void_v<T>)
      asking(self).then([to = heard] { to(result<void>{}); }, failed);
    else
      asking(self).then(
        [to = heard](const T& answer) { to(result<T>{answer}); }, failed);
    return {};
  }

  caf::event_based_actor* self;
  Asking asking;
  Heard heard;
};

template <class T, class Asking, class Heard>
caf::actor spawn_asker(caf::actor_system& system, Asking asking, Heard heard) {
  return spawn<asker<T, Asking, Heard>>(system, std::move(asking),
                                        std::move(heard));
}

/// How to ask `whom` this, for `spawn_asker`.
template <class Handle, class... Xs>
auto asks(const Handle& whom, Xs... xs) {
  return [whom, xs...](caf::event_based_actor* self) {
    return mail(self, xs...).request(whom, caf::infinite);
  };
}

/// The answer to a question that was asked in a world, once there is one.
template <class T>
using pending = std::shared_ptr<std::optional<result<T>>>;

template <class T>
pending<T> new_pending() {
  return std::make_shared<std::optional<result<T>>>();
}

/// Notes in `answer` what was heard.
template <class T>
auto noting(const pending<T>& answer) {
  return [answer](result<T> heard) { answer->emplace(std::move(heard)); };
}

/// What an answer says, `-` as long as there is none. `render` is for what is
/// no error.
template <class T, class Render>
std::string text_of(const pending<T>& answer, Render render) {
  if (!*answer)
    return "-";
  if (!**answer)
    return to_string((*answer)->error());
  if constexpr (std::is_void_v<T>)
    return "done";
  else
    return render(***answer);
}

} // namespace turnstile::testing
