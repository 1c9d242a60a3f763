#pragma once

#include "actors/caf/watch.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>

#include <functional>
#include <list>
#include <memory>
#include <unordered_map>

namespace turnstile::detail {

/// What an actor monitors, and whom to call when it is down.
///
/// An actor is known by its control block, not by its address: a node that is
/// reached again gives a new proxy with an equal address, and the old one's
/// end must not be taken for the new one's.
///
/// Invariants:
/// (1) CAF monitors an actor, once, exactly while it has entries here.
/// (2) Every entry here is open.
class watch_list {
public:
  using callback = std::function<void(const caf::error&)>;

  /// Ends what `start` began.
  using stop = std::function<void()>;

  /// Lets CAF monitor an actor.
  using start = std::function<stop()>;

  /// `alive` tells whether the actor that owns this list still is.
  explicit watch_list(std::function<bool()> alive);

  /// Adds a callback, and starts monitoring if it is the first for `whom`.
  watch add(caf::weak_actor_ptr whom, callback call, const start& begin);

  /// Calls everybody who watches `whom`, in the order in which they came,
  /// unless the owner ends. A callback may watch the same actor again, so it
  /// is taken off the list first.
  void down(const caf::actor_control_block* whom, const caf::error& reason);

  /// Stops watching everybody.
  void clear();

private:
  using entries = std::list<std::shared_ptr<watch_entry>>;

  struct place {
    caf::weak_actor_ptr whom; // keeps the control block, our key, from reuse
    stop end;
    entries open;
  };

  void remove(const caf::actor_control_block* whom, entries::iterator entry);

  std::function<bool()> alive_;
  std::unordered_map<const caf::actor_control_block*, place> places_;
};

} // namespace turnstile::detail
