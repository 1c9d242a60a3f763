#pragma once

#include "actors/caf/error.hpp"
#include "actors/caf/mail.hpp"
#include "core/base/result.hpp"

#include <caf/scoped_actor.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace turnstile {

/// Asks `to` from outside of all actors and waits for the answer, however long
/// it takes: `ask<wire::Report>(self, scheduler, wire::ReportQuery{})`. For
/// `main` and tools; inside an actor, use `mail(...).request(...).then(...)`.
template <class Answer, class Handle, class... Ts>
result<Answer> ask(caf::scoped_actor& self, const Handle& to, Ts&&... xs) {
  std::optional<result<Answer>> seen;
  auto failed = [&](const caf::error& why) {
    seen.emplace(fail(to_failure(self->system(), why)));
  };
  auto asking = mail(self, std::forward<Ts>(xs)...).request(to, caf::infinite);
  if constexpr (std::is_void_v<Answer>)
    std::move(asking).receive([&] { seen.emplace(); }, failed);
  else
    std::move(asking).receive([&](const Answer& answer) { seen = answer; },
                              failed);
  return std::move(*seen);
}

} // namespace turnstile
