#pragma once

#include "actors/caf/watch.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/error.hpp>

#include <functional>
#include <list>
#include <memory>
#include <unordered_map>

namespace turnstile::detail {

/// What an actor of CAF 0.17.6 monitors, and whom to call when it is down.
///
/// An actor is known by its control block, not by its address: a node that is
/// reached again gives a new proxy with an equal address, and the old one's
/// end must not be taken for the new one's.
///
/// Invariants:
/// (1) CAF monitors an actor, once, exactly while it has open entries here.
/// (2) Every entry here is open.
class watch_list {
public:
  using callback = std::function<void(const caf::error&)>;

  /// `forget` tells CAF to monitor an actor no longer.
  explicit watch_list(std::function<void(const caf::actor_addr&)> forget);

  /// Adds a callback. @returns it, and whether CAF has to be told to monitor
  std::pair<watch, bool> add(caf::actor_addr whom, callback call);

  /// Calls everybody who watches `whom`, as long as `go_on()` holds. They may
  /// watch the same actor again: it is taken off the list first.
  void down(const caf::actor_addr& whom, const caf::error& reason,
            const std::function<bool()>& go_on);

  /// Stops watching everybody.
  void clear();

private:
  using entries = std::list<std::shared_ptr<watch_entry>>;

  struct place {
    caf::actor_addr whom; // keeps the control block, hence our key, from reuse
    entries open;
  };

  void remove(caf::actor_control_block* whom, entries::iterator entry);

  std::function<void(const caf::actor_addr&)> forget_;
  std::unordered_map<caf::actor_control_block*, place> places_;
};

} // namespace turnstile::detail
