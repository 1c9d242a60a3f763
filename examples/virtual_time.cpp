// An agent task whose backend is down for an hour, tested without waiting: time
// moves when the test says so.

#include "actors/agent/agent_scheduler.hpp"
#include "actors/testing/agent_steps.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/orders.hpp"

#include <chrono>
#include <cstdio>

using namespace turnstile;
using namespace std::chrono_literals;

int main() {
  testing::still_world_of<caf::id_block::turnstile,
                          caf::id_block::turnstile_handles>
    world;

  // The backend cannot be started twice, then it answers.
  agent_scheduler_options options;
  auto backend = spawn<testing::scripted_backend_state>(
    world.system(), "claude",
    std::vector{testing::fails(backend_error_kind::spawn),
                testing::fails(backend_error_kind::spawn),
                testing::ok(R"({"answer": 42})")});
  options.backends.add("claude", backend);
  auto scheduler = spawn_agent_scheduler(world.system(), options);

  // A run whose retries wait for 20 and for 40 minutes.
  wire::RunTerms terms;
  terms.set_run_id("01900000-0000-7000-8000-000000000000");
  auto& retry = *terms.mutable_retry();
  retry.set_max_retries(2);
  retry.set_multiplier(2);
  retry.set_initial_backoff_ns(duration{20min}.count());
  retry.set_max_backoff_ns(duration{1h}.count());
  caf::scoped_actor self{world.system()};
  auto opening = mail(self, open_atom_v,
                      registration(request_id{1}, terms.SerializeAsString()))
                   .request(*scheduler, caf::infinite);
  world.settle();
  door_actor door;
  auto complain = [&](const caf::error& why) {
    std::printf("%s\n", render(world.system(), why).c_str());
  };
  std::move(opening).receive([&](const door_actor& x) { door = x; }, complain);

  wire::AgentTask task;
  task.set_agent_id("01900000-0000-7000-8000-000000000001");
  task.set_prompt("What is the answer?");
  auto running =
    mail(self, run_atom_v, order(task)).request(door, caf::infinite);
  const auto begun = world.now();
  while (world.settle() + world.has_timer() > 0)
    world.fire_next_timer();
  const auto took =
    std::chrono::duration_cast<std::chrono::minutes>(world.now() - begun);

  wire::TaskRecord record;
  std::move(running).receive(
    [&](const wire::WorkEnded& ended) {
      record = *outcome_in<wire::TaskRecord>(ended);
    },
    complain);
  std::printf("%s after %u attempts and %ld minutes\n",
              record.result().output_json().c_str(), record.attempts(),
              static_cast<long>(took.count()));
  world.kill(*scheduler);
  world.kill(backend);
  return record.attempts() == 3 && took == 1h ? 0 : 1;
}
