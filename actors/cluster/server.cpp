#include "actors/cluster/server.hpp"

#include "actors/caf/caf.hpp"
#include "actors/cluster/worker_desk.hpp"

#include <utility>

namespace turnstile {

result<server> spawn_server(caf::actor_system& system,
                            const scheduler_actor& scheduler,
                            front_desk_options options) {
  return spawn_server(system, spawn<worker_desk_state>(system, scheduler),
                      std::move(options));
}

result<server> spawn_server(caf::actor_system& system,
                            const worker_desk_actor& workers,
                            front_desk_options options) {
  if (auto valid = validate(options.terms); !valid)
    return fail(valid.error());
  options.workers = workers;
  return server{workers, spawn<front_desk_state>(system, std::move(options))};
}

} // namespace turnstile
