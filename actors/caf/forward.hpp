#pragma once

#include "actors/caf/error.hpp"
#include "actors/caf/mail.hpp"
#include "actors/caf/owed_answer.hpp"

#include <memory>
#include <utility>

namespace turnstile {

/// Lets `to` answer the message that `self` is handling, and overtake what
/// waits there: `return forward_urgently<wire::StatusAnswer>(self, to,
/// query);`.
///
/// Unlike `delegate` it takes the answer in and passes it on. (A delegation
/// that is made urgent gives the request another identity, so that whoever
/// asked never recognises the answer; seen on CAF 0.17.6.)
template <class Answer, class Self, class Handle, class... Ts>
caf::result<Answer> forward_urgently(Self* self, const Handle& to, Ts&&... xs) {
  auto owed = std::make_shared<owed_answer<Answer>>(self);
  auto later = owed->later();
  mail(self, std::forward<Ts>(xs)...)
    .urgent()
    .request(to, caf::infinite)
    .then([owed](const Answer& answer) { owed->settle(answer); },
          [owed, self](const caf::error& why) {
            owed->settle(fail(to_failure(self->system(), why)));
          });
  return later;
}

} // namespace turnstile
