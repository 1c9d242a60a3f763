#pragma once

#include "actors/cluster/interfaces.hpp"
#include "actors/cluster/uplink.hpp"
#include "actors/node/plan_run.hpp"

#include <caf/fwd.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace turnstile::node {

/// What a client wants of a server.
struct run_follower_options {
  wire::Hello hello;
  node_finder find;
  uplink_options uplink; ///< Of this, `find` and `owner` are filled in.

  std::string run_id;
  std::string plan;               ///< A StoredPlan, serialised.
  std::vector<std::string> tasks; ///< Their names, in plan order.
  std::string name;               ///< What people call the run.
  run_listener listener;

  /// Hears of the way to the server: sentences for people.
  std::function<void(const std::string&)> on_word;
};

/// Has a plan run by a server, and tells its end as if it ran here.
using run_follower_actor =
  typed_actor<caf::result<void>(join_atom, wire::Envelope),
              caf::result<void>(wire::Envelope),
              caf::result<void>(leave_atom, wire::Envelope),
              caf::result<void>(wire::Failure),
              /// Cancels the run.
              caf::result<void>(wire::CancelRequest),
              /// Follows it no more; it goes on. Tells the end so far, as
              /// suspended.
              caf::result<void>(suspend_atom)>;

run_follower_actor spawn_run_follower(caf::actor_system& system,
                                      run_follower_options options);

} // namespace turnstile::node
