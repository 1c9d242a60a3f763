#pragma once

#include "actors/cluster/front_desk.hpp"
#include "actors/cluster/interfaces.hpp"
#include "actors/interfaces.hpp"

#include <caf/fwd.hpp>

namespace turnstile {

/// The actors of a node that others connect to.
struct server {
  worker_desk_actor workers;
  front_desk_actor front; ///< What is to be published.
};

/// Opens a scheduler, of whatever program, to workers: what they offer becomes
/// its backends. `options.workers` is filled in; give `options.clients` if the
/// node serves clients, too. Publish `front` (`publish` in
/// actors/caf/network.hpp), and send it `drain_atom` before the system ends.
///
/// @returns `invalid_argument` if the terms make no sense
result<server> spawn_server(caf::actor_system& system,
                            const scheduler_actor& scheduler,
                            front_desk_options options);

/// The same for workers that are there already.
result<server> spawn_server(caf::actor_system& system,
                            const worker_desk_actor& workers,
                            front_desk_options options);

} // namespace turnstile
