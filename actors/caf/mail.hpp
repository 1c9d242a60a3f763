#pragma once

#include "actors/caf/version.hpp"

#include <caf/timespan.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

#if TURNSTILE_OLD_CAF
#include <caf/duration.hpp>
#include <caf/message_priority.hpp>
#include <caf/send.hpp>
#else
#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>
#include <caf/anon_mail.hpp>
#endif

// How everything is sent here:
//
//   mail(self, xs...).send(to)                 tells
//   mail(self, xs...).urgent().send(to)        overtakes what waits at `to`
//   mail(self, xs...).delay(10ms).send(to)     comes later; never cancelled
//   mail(self, xs...).request(to, 1s).then(on_answer, on_error)
//   mail(self, xs...).delegate(to)             lets `to` answer for us
//   anon_mail(xs...).send(to)                  from any thread, by nobody
//
// `self` is an actor's own pointer or a scoped actor. A delayed mail keeps its
// receiver alive, and its delay is to be positive. Ignore what a delayed `send`
// returns: only 1.x returns something.
namespace turnstile {

#if TURNSTILE_OLD_CAF

namespace detail {

/// The anonymous sender: gives `caf::anon_send` the members of an actor.
struct nobody {
  template <caf::message_priority Priority, class Handle, class... Ts>
  void send(const Handle& to, Ts&&... xs) {
    caf::anon_send<Priority>(to, std::forward<Ts>(xs)...);
  }

  template <caf::message_priority Priority, class Handle, class... Ts>
  void delayed_send(const Handle& to, caf::timespan delay, Ts&&... xs) {
    caf::delayed_anon_send<Priority>(to, delay, std::forward<Ts>(xs)...);
  }
};

inline nobody the_nobody;

} // namespace detail

/// A message that will be sent later.
template <caf::message_priority Priority, class Self, class... Ts>
class [[nodiscard]] delayed_mail {
public:
  delayed_mail(Self* self, std::tuple<Ts...> content, caf::timespan delay)
    : self_(self), content_(std::move(content)), delay_(delay) {}

  template <class Handle>
  void send(const Handle& to) && {
    std::apply(
      [&](Ts&... xs) {
        self_->template delayed_send<Priority>(to, delay_, std::move(xs)...);
      },
      content_);
  }

private:
  Self* self_;
  std::tuple<Ts...> content_;
  caf::timespan delay_;
};

/// A message that has yet to be told how and whereto it goes.
template <caf::message_priority Priority, class Self, class... Ts>
class [[nodiscard]] outgoing_mail {
public:
  outgoing_mail(Self* self, std::tuple<Ts...> content)
    : self_(self), content_(std::move(content)) {}

  auto urgent() && {
    constexpr auto high = caf::message_priority::high;
    return outgoing_mail<high, Self, Ts...>{self_, std::move(content_)};
  }

  auto delay(caf::timespan by) && {
    return delayed_mail<Priority, Self, Ts...>{self_, std::move(content_), by};
  }

  template <class Handle>
  void send(const Handle& to) && {
    std::apply(
      [&](Ts&... xs) { self_->template send<Priority>(to, std::move(xs)...); },
      content_);
  }

  template <class Handle, class Timeout>
  auto request(const Handle& to, Timeout timeout) && {
    return std::apply(
      [&](Ts&... xs) {
        return self_->template request<Priority>(to, caf::duration{timeout},
                                                 std::move(xs)...);
      },
      content_);
  }

  template <class Handle>
  auto delegate(const Handle& to) && {
    return std::apply(
      [&](Ts&... xs) {
        return self_->template delegate<Priority>(to, std::move(xs)...);
      },
      content_);
  }

private:
  Self* self_;
  std::tuple<Ts...> content_;
};

/// Starts a message from `self`.
template <class Self, class... Ts>
auto mail(Self&& self, Ts&&... xs) {
  using self_type = std::remove_reference_t<decltype(*self)>;
  return outgoing_mail<caf::message_priority::normal, self_type,
                       std::decay_t<Ts>...>{&*self, {std::forward<Ts>(xs)...}};
}

/// Starts a message from nobody, in any thread.
template <class... Ts>
auto anon_mail(Ts&&... xs) {
  return mail(&detail::the_nobody, std::forward<Ts>(xs)...);
}

#else

/// Starts a message from `self`.
template <class Self, class... Ts>
[[nodiscard]] auto mail(Self&& self, Ts&&... xs) {
  return self->mail(std::forward<Ts>(xs)...);
}

/// Starts a message from nobody, in any thread.
template <class... Ts>
[[nodiscard]] auto anon_mail(Ts&&... xs) {
  return caf::anon_mail(std::forward<Ts>(xs)...);
}

#endif

} // namespace turnstile
