#include "tests/actors/rank/rank_world.hpp"

namespace counter_tests {

result<rank_actor> spawn_counter_rank(caf::actor_system& system,
                                      const rank_options& options,
                                      std::int64_t mine) {
  ranked_counter program;
  program.mine = mine;
  return spawn_rank(system, options, std::move(program));
}

} // namespace counter_tests
