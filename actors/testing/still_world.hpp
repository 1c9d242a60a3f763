#pragma once

#include "actors/caf/config.hpp"
#include "actors/caf/testing/still_machine.hpp"
#include "core/base/time.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace turnstile::testing {

/// An actor system in which nothing happens by itself: no threads, no wall
/// clock. A test says when mail is delivered and how far time moves, and a run
/// can be repeated. Timers fire in the order of their time, and among equals in
/// the order in which they were set.
///
/// Don't use from several threads, and spawn nothing detached in it. A scoped
/// actor works if mail is settled before it receives; if the answer is missing,
/// `receive` waits forever. Let go of it before the world ends.
class still_world {
public:
  /// Whether urgent mail overtakes here as it does in a system with threads.
  /// It waits its turn on CAF 1.x (seen on 1.1.0).
  static constexpr bool urgent_mail_overtakes = still_machine::urgent_overtakes;

  /// Starts at an instant that is the same in every run. On CAF 1.x the types
  /// that `config` knows count, but not the options it sets.
  explicit still_world(std::unique_ptr<caf::actor_system_config> config);

  /// Ends without waiting: timers and undelivered mail are dropped, and actors
  /// that are still alive end (on 1.x some may be leaked).
  ~still_world();

  caf::actor_system& system() noexcept;

  /// Delivers one message. @returns whether there was one
  bool step();

  /// Delivers mail until nobody has any, and fires timers that are due already.
  /// @returns how many messages it delivered
  std::size_t settle();

  /// Settles, then moves the clock by `span`, which is not negative, stopping
  /// at every timer on the way to fire and settle it, also at those that are
  /// set on the way: a timer that rearms itself every 10 ms fires five times in
  /// `advance(50ms)`, at 10, 20, ... 50 ms.
  void advance(duration span);

  [[nodiscard]] bool has_timer() const;

  /// Returns when the next timer is due, if there is one.
  [[nodiscard]] std::optional<instant> next_timer() const;

  /// Moves the clock to the next timer and fires that one; what it sends waits
  /// to be settled. @returns whether there was one
  bool fire_next_timer();

  [[nodiscard]] instant now() const;

  /// Kills `whom` and settles.
  template <class Handle>
  void kill(const Handle& whom) {
    kill_actor(caf::actor_cast<caf::strong_actor_ptr>(whom));
  }

private:
  void kill_actor(const caf::strong_actor_ptr& whom);

  std::unique_ptr<still_machine> machine_;
};

/// A still world that knows the types of the given type-id blocks:
/// `still_world_of<caf::id_block::turnstile>`.
template <class... Blocks>
class still_world_of : public still_world {
public:
  still_world_of()
    : still_world(std::make_unique<system_config<Blocks...>>()) {}
};

} // namespace turnstile::testing
