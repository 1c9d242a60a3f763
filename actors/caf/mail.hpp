#pragma once

#include "actors/caf/post.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

// How everything is sent here:
//
//   mail(self, xs...).send(to)                 tells
//   mail(self, xs...).urgent().send(to)        overtakes what waits at `to`
//   mail(self, xs...).delay(10ms).send(to)     comes later; never cancelled
//   mail(self, xs...).request(to, 1s).then(on_answer, on_error)
//   mail(self, xs...).delegate(to)             lets `to` answer for us
//                                              (urgently: see forward.hpp)
//   anon_mail(xs...).send(to)                  from any thread, by nobody
//
// `self` is an actor's own pointer or a scoped actor. A request without a limit
// waits `caf::infinite`. A delayed mail keeps its receiver alive until then.
namespace turnstile {

/// A message that will be sent later.
template <caf::message_priority Priority, class Self, class... Ts>
class [[nodiscard]] delayed_mail {
public:
  delayed_mail(Self* self, std::tuple<Ts...> content, caf::timespan delay)
    : self_(self), content_(std::move(content)), delay_(delay) {}

  /// Sends it to `to` when the delay has passed; to nobody if `to` is empty.
  template <class Handle>
  void send(const Handle& to) && {
    auto post = [&](Ts&... xs) {
      detail::post_later<Priority>(self_, delay_, to, std::move(xs)...);
    };
    std::apply(post, content_);
  }

private:
  Self* self_;
  std::tuple<Ts...> content_;
  caf::timespan delay_;
};

/// A message that has yet to be told how it goes, and whereto.
template <caf::message_priority Priority, class Self, class... Ts>
class [[nodiscard]] outgoing_mail {
public:
  outgoing_mail(Self* self, std::tuple<Ts...> content)
    : self_(self), content_(std::move(content)) {}

  /// Lets it overtake the mail that waits at the receiver and is not urgent.
  auto urgent() && {
    constexpr auto high = caf::message_priority::high;
    return outgoing_mail<high, Self, Ts...>{self_, std::move(content_)};
  }

  /// Lets it arrive after `by`, on the clock of the actor system.
  auto delay(caf::timespan by) && {
    return delayed_mail<Priority, Self, Ts...>{self_, std::move(content_), by};
  }

  /// Sends it to `to`, or to nobody if `to` is empty.
  template <class Handle>
  void send(const Handle& to) && {
    auto post = [&](Ts&... xs) {
      detail::post<Priority>(self_, to, std::move(xs)...);
    };
    std::apply(post, content_);
  }

  /// Sends it to `to` for an answer. What comes back has `then(on_answer,
  /// on_error)` in an actor and `receive(on_answer, on_error)`, on an rvalue,
  /// in a scoped actor. The error is `sec::request_timeout` after `timeout`.
  template <class Handle, class Timeout>
  [[nodiscard]] auto request(const Handle& to, Timeout timeout) && {
    auto post = [&](Ts&... xs) {
      return detail::post_request<Priority>(self_, timeout, to,
                                            std::move(xs)...);
    };
    return std::apply(post, content_);
  }

  /// Sends it to `to` in place of our answer to the current message. Return
  /// what comes back from the handler.
  template <class Handle>
  [[nodiscard]] auto delegate(const Handle& to) && {
    static_assert(Priority == caf::message_priority::normal,
                  "the answer to what is delegated urgently gets lost; use "
                  "forward_urgently");
    auto post = [&](Ts&... xs) {
      return detail::post_delegate(self_, to, std::move(xs)...);
    };
    return std::apply(post, content_);
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

} // namespace turnstile
