#pragma once

#include "actors/caf/thrown.hpp"
#include "actors/caf/version.hpp"
#include "actors/caf/watch_list.hpp"

#include <caf/actor.hpp>
#include <caf/actor_config.hpp>
#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_behavior.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#if TURNSTILE_OLD_CAF
#include <caf/system_messages.hpp>
#endif

namespace turnstile::detail {

template <class Behavior>
struct actor_of;

template <>
struct actor_of<caf::behavior> {
  using type = caf::event_based_actor;
  using handle = caf::actor;
};

template <class... Sentences>
struct actor_of<caf::typed_behavior<Sentences...>> {
  using type = caf::typed_event_based_actor<Sentences...>;
  using handle = caf::typed_actor<Sentences...>;
};

#if !TURNSTILE_OLD_CAF

// CAF 1.x wraps an interface for a behavior. Unwrap it, since a handle of the
// wrapped one cannot be assigned to one of the interface as it is written.
template <class... Sentences>
struct actor_of<caf::typed_behavior<caf::statically_typed<Sentences...>>> {
  using type =
    caf::typed_event_based_actor<caf::statically_typed<Sentences...>>;
  using handle = caf::typed_actor<Sentences...>;
};

#endif

template <class State>
using behavior_of = decltype(std::declval<State&>().make_behavior());

/// The actor that CAF runs for a `State`, from what `make_behavior` returns.
template <class State>
using actor_for = typename actor_of<behavior_of<State>>::type;

/// The handle to such an actor, as its interface is written.
template <class State>
using handle_for = typename actor_of<behavior_of<State>>::handle;

/// A state that says what its actors are called.
template <class State>
concept has_name =
  std::is_convertible_v<decltype(State::name), const char*> && !std::
    is_member_pointer_v<decltype(&State::name)>;

/// An actor that owns a `State` and the watches of `monitor`: what CAF 1.x
/// makes of `caf::actor_from_state`, on both versions.
template <class State>
class state_actor : public actor_for<State>, public watch_list {
public:
  using actor_type = actor_for<State>;

  template <class... Ts>
  explicit state_actor(caf::actor_config& cfg, Ts&&... xs)
    : actor_type(cfg), watch_list([this] { return this->alive(); }) {
    this->set_exception_handler([this](std::exception_ptr& thrown) {
      return last_words(name(), thrown);
    });
#if TURNSTILE_OLD_CAF
    this->set_down_handler(
      [this](caf::down_msg& news) { down(news.source.get(), news.reason); });
#endif
    if constexpr (std::is_constructible_v<State, Ts&&...>)
      new (&state_) State(std::forward<Ts>(xs)...);
    else
      new (&state_) State(this, std::forward<Ts>(xs)...);
  }

  ~state_actor() override {}

  typename actor_type::behavior_type make_behavior() override {
    return state_.make_behavior();
  }

  void on_exit() override {
    watch_list::clear();
    state_.~State();
  }

  const char* name() const override {
    if constexpr (has_name<State>)
      return State::name;
    else
      return actor_type::name();
  }

private:
  union {
    State state_; // lives until the actor ends, which is before its last handle
  };
};

} // namespace turnstile::detail
