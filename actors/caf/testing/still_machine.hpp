#pragma once

#include "actors/caf/version.hpp"
#include "core/base/time.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <memory>
#include <optional>

namespace turnstile::testing {

/// What a still world runs on: an actor system whose scheduler and clock move
/// by hand. Each version of CAF has one, and this room knows which is which.
class still_machine {
public:
  /// Whether urgent mail overtakes other mail.
  static constexpr bool urgent_overtakes = TURNSTILE_OLD_CAF;

  /// Starts an actor system at `beginning`. On CAF 1.x, which makes a
  /// configuration of its own, only the types that `config` knows count.
  static std::unique_ptr<still_machine>
  start(std::unique_ptr<caf::actor_system_config> config, instant beginning);

  virtual ~still_machine() = default;

  virtual caf::actor_system& system() noexcept = 0;

  /// Delivers one message. @returns whether there was one
  virtual bool step() = 0;

  /// Returns when the next timer is due, if there is one.
  virtual std::optional<instant> next_timer() = 0;

  /// Fires the next timer, moving the clock there unless it is past that.
  /// @returns whether there was one
  virtual bool fire_next_timer() = 0;

  /// Moves the clock. @pre no timer is due by then
  virtual void move_to(instant when) = 0;
};

} // namespace turnstile::testing
