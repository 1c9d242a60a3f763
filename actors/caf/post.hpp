#pragma once

#include "actors/caf/version.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/message_priority.hpp>
#include <caf/timespan.hpp>

#include <utility>

#if TURNSTILE_OLD_CAF
#include <caf/duration.hpp>
#include <caf/send.hpp>
#else
#include <caf/anon_mail.hpp>
#endif

// How this version of CAF sends what mail.hpp puts together.
namespace turnstile::detail {

using priority = caf::message_priority;

/// The sender of anonymous mail.
struct nobody {};

inline nobody the_nobody;

#if TURNSTILE_OLD_CAF

template <priority P, class Self, class Handle, class... Ts>
void post(Self* self, const Handle& to, Ts&&... xs) {
  self->template send<P>(to, std::forward<Ts>(xs)...);
}

template <priority P, class Handle, class... Ts>
void post(nobody*, const Handle& to, Ts&&... xs) {
  caf::anon_send<P>(to, std::forward<Ts>(xs)...);
}

template <priority P, class Self, class Handle, class... Ts>
void post_later(Self* self, caf::timespan delay, const Handle& to, Ts&&... xs) {
  self->template delayed_send<P>(to, delay, std::forward<Ts>(xs)...);
}

template <priority P, class Handle, class... Ts>
void post_later(nobody*, caf::timespan delay, const Handle& to, Ts&&... xs) {
  caf::delayed_anon_send<P>(to, delay, std::forward<Ts>(xs)...);
}

template <priority P, class Self, class Timeout, class Handle, class... Ts>
auto post_request(Self* self, Timeout timeout, const Handle& to, Ts&&... xs) {
  return self->template request<P>(to, caf::duration{timeout},
                                   std::forward<Ts>(xs)...);
}

template <class Self, class Handle, class... Ts>
auto post_delegate(Self* self, const Handle& to, Ts&&... xs) {
  return self->delegate(to, std::forward<Ts>(xs)...);
}

#else

template <priority P, class Self, class... Ts>
auto start(Self* self, Ts&&... xs) {
  if constexpr (P == priority::high)
    return self->mail(std::forward<Ts>(xs)...).urgent();
  else
    return self->mail(std::forward<Ts>(xs)...);
}

template <priority P, class... Ts>
auto start(nobody*, Ts&&... xs) {
  if constexpr (P == priority::high)
    return caf::anon_mail(std::forward<Ts>(xs)...).urgent();
  else
    return caf::anon_mail(std::forward<Ts>(xs)...);
}

template <priority P, class Self, class Handle, class... Ts>
void post(Self* self, const Handle& to, Ts&&... xs) {
  start<P>(self, std::forward<Ts>(xs)...).send(to);
}

// CAF's own delay() asks the wall clock if the sender is nobody or blocks.
template <priority P, class Self, class Handle, class... Ts>
void post_later(Self* self, caf::timespan delay, const Handle& to, Ts&&... xs) {
  if (!to)
    return;
  auto& clock =
    caf::actor_cast<caf::abstract_actor*>(to)->home_system().clock();
  start<P>(self, std::forward<Ts>(xs)...)
    .schedule(clock.now() + delay)
    .send(to);
}

template <priority P, class Self, class Handle, class... Ts>
auto post_request(Self* self, caf::timespan timeout, const Handle& to,
                  Ts&&... xs) {
  return start<P>(self, std::forward<Ts>(xs)...).request(to, timeout);
}

template <class Self, class Handle, class... Ts>
auto post_delegate(Self* self, const Handle& to, Ts&&... xs) {
  return self->mail(std::forward<Ts>(xs)...).delegate(to);
}

#endif

} // namespace turnstile::detail
