#include "actors/scheduler/scheduler_state.hpp"
#include "tests/actors/scheduler/counter_program.hpp"
#include "tests/actors/scheduler/scheduler_world.hpp"

namespace counter_tests {

result<scheduler_actor> spawn_counter_scheduler(caf::actor_system& system,
                                                scheduler_options options) {
  return spawn_scheduler<counter_program>(system, std::move(options));
}

} // namespace counter_tests
