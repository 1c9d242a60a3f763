#pragma once

#include "actors/caf/version.hpp"
#include "actors/caf/watch.hpp"
#include "core/base/check.hpp"

#include <caf/error.hpp>

#include <concepts>
#include <memory>
#include <utility>

#if TURNSTILE_OLD_CAF
#include "actors/caf/watch_list.hpp"
#else
#include <caf/disposable.hpp>
#endif

namespace turnstile {

/// Calls `when_down` once, in the context of `self`, after `whom` has ended or
/// its node was lost; soon, if that is so already. The error is the reason it
/// gave, empty if it ended normally. The callback may monitor anybody again,
/// the dead actor included, and the returned watch may be disposed at any time,
/// also in the callback. Returns a closed watch if `whom` is no actor.
///
/// Cost: one attachment at `whom`; disposing it is linear in those of `whom`
/// on 0.17.6, and leaves a small husk there until `whom` ends on 1.x.
///
/// @pre `self` is an actor made by our `spawn`
template <class Self, class Handle, std::invocable<const caf::error&> WhenDown>
watch monitor(Self* self, const Handle& whom, WhenDown&& when_down) {
  if (!whom)
    return {};
#if TURNSTILE_OLD_CAF
  auto* list = dynamic_cast<detail::watch_list*>(self);
  TURNSTILE_CHECK(list != nullptr);
  auto [result, is_new] =
    list->add(whom.address(), std::forward<WhenDown>(when_down));
  if (is_new)
    self->monitor(whom);
  return result;
#else
  auto entry = std::make_shared<detail::watch_entry>();
  entry->call = std::forward<WhenDown>(when_down);
  caf::disposable impl = self->monitor(
    whom, [entry](const caf::error& reason) { entry->fire(reason); });
  entry->detach = [impl = std::move(impl)]() mutable { impl.dispose(); };
  return watch{std::move(entry)};
#endif
}

} // namespace turnstile
