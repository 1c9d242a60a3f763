#pragma once

#include "actors/caf/state_actor.hpp"

#include <caf/actor_system.hpp>
#include <caf/spawn_options.hpp>

#include <type_traits>
#include <utility>

namespace turnstile {

namespace detail {

/// An actor system as it is, or the actor behind a pointer or a scoped actor.
template <class Parent>
auto& spawner(Parent& parent) {
  if constexpr (std::is_base_of_v<caf::actor_system, Parent>)
    return parent;
  else
    return *parent;
}

} // namespace detail

/// Spawns an actor whose state is a `State`, constructed at once from `xs`,
/// preceded by the actor's own pointer if `State` wants that. Its
/// `make_behavior()` is called when the actor first runs, and it is destroyed
/// when the actor ends, not when the last handle goes. If `State` has a name
/// (`static constexpr const char* name`), it shows in CAF's logs.
///
/// If a handler throws, the actor ends: the requester and all who monitor get
/// `backend_lost` with the exception's text, and stderr a line.
///
/// `parent` is an actor system, an actor's own pointer or a scoped actor.
/// `Options` are CAF's: `caf::detached`, `caf::lazy_init`, `caf::hidden`,
/// `caf::linked`, added up.
///
/// @throws whatever `State`'s constructor throws
template <class State, caf::spawn_options Options = caf::no_spawn_options,
          class Parent, class... Ts>
detail::handle_for<State> spawn(Parent&& parent, Ts&&... xs) {
  auto& by = detail::spawner(parent);
  return by.template spawn<detail::state_actor<State>, Options>(
    std::forward<Ts>(xs)...);
}

/// Spawns an actor with a thread of its own, for work that blocks.
template <class State, class Parent, class... Ts>
auto spawn_detached(Parent&& parent, Ts&&... xs) {
  return spawn<State, caf::detached>(parent, std::forward<Ts>(xs)...);
}

/// Spawns an actor that first runs when a message arrives.
template <class State, class Parent, class... Ts>
auto spawn_lazy(Parent&& parent, Ts&&... xs) {
  return spawn<State, caf::lazy_init>(parent, std::forward<Ts>(xs)...);
}

} // namespace turnstile
