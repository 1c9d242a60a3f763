#pragma once

#include "actors/caf/version.hpp"
#include "actors/caf/watch.hpp"
#include "actors/caf/watch_list.hpp"
#include "core/base/check.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>

#include <concepts>
#include <utility>

#if !TURNSTILE_OLD_CAF
#include <caf/disposable.hpp>
#endif

namespace turnstile {

namespace detail {

/// Lets CAF tell `list` when `whom` is down. @returns how to end that
template <class Self, class Handle>
watch_list::stop start_monitor(Self* self, const Handle& whom,
                               watch_list* list) {
#if TURNSTILE_OLD_CAF
  static_cast<void>(list); // is told by the actor's down handler
  self->monitor(whom);
  return [self, address = whom.address()] { self->demonitor(address); };
#else
  const auto* key = caf::actor_cast<caf::weak_actor_ptr>(whom).get();
  caf::disposable impl = self->monitor(
    whom, [list, key](const caf::error& reason) { list->down(key, reason); });
  return [impl = std::move(impl)]() mutable { impl.dispose(); };
#endif
}

} // namespace detail

/// Calls `when_down` once, in the context of `self`, after `whom` has ended or
/// its node was lost; soon, if that is so already. The error is the reason it
/// gave, empty if it ended normally. Callbacks for the same actor come in the
/// order in which they were asked for. A callback may monitor anybody again,
/// the dead actor included, and the returned watch may be disposed at any time,
/// also in a callback. Returns a closed watch if `whom` is no actor.
///
/// Cost: one attachment at `whom` per actor that monitors it. Ending it early
/// is linear in those on 0.17.6, and leaves a husk until `whom` ends on 1.x:
/// let one actor monitor for many, rather than many monitor one.
///
/// @pre `self` is an actor made by our `spawn`
template <class Self, class Handle, std::invocable<const caf::error&> WhenDown>
watch monitor(Self* self, const Handle& whom, WhenDown&& when_down) {
  if (!whom)
    return {};
  auto* list = dynamic_cast<detail::watch_list*>(self);
  TURNSTILE_CHECK(list != nullptr);
  return list->add(caf::actor_cast<caf::weak_actor_ptr>(whom),
                   std::forward<WhenDown>(when_down),
                   [&] { return detail::start_monitor(self, whom, list); });
}

} // namespace turnstile
