// A backend of one's own: it may have any number of tasks under way, answers
// each when it is over, and stops what it is asked to stop. This one sleeps.

#include "actors/agent/agent_scheduler.hpp"
#include "actors/agent/blocking_run.hpp"
#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "actors/backend/submission_key.hpp"

#include <chrono>
#include <cstdio>
#include <map>

using namespace turnstile;

using sleeper_actor = backend_with<caf::result<void>(wake_atom, wire::Execute)>;

class sleeper {
public:
  explicit sleeper(sleeper_actor::pointer self) : self_(self) {}

  sleeper_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) { // owe the answer until it is over
        owed_answer<wire::Completed> owed{self_};
        auto later = owed.later();
        running_.emplace(*key_of(what, "Execute"), std::move(owed));
        mail(self_, wake_atom_v, what)
          .delay(caf::timespan{std::chrono::milliseconds{20}})
          .send(sleeper_actor{self_});
        return later;
      },
      [this](const wire::CancelWork& which) {
        end(which, failed_with(which, {errc::cancelled, "it was woken"}));
        return quiet_about(which); // also if it had ended before
      },
      [](const wire::BackendCapabilitiesQuery&) {
        wire::BackendCapabilities able;
        able.set_backend("sleeper");
        return able;
      },
      [this](wake_atom, const wire::Execute& what) {
        wire::AgentOutcome outcome;
        outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
        end(what, completed_with(what, outcome));
      },
    };
  }

private:
  template <class Message>
  void end(const Message& what, wire::Completed how) {
    if (auto found = running_.extract(*key_of(what, "work")))
      found.mapped().settle(std::move(how));
  }

  sleeper_actor::pointer self_;
  std::map<submission_key, owed_answer<wire::Completed>> running_;
};

int main() {
  node_config<> config;
  caf::actor_system system{config};
  agent_scheduler_options options;
  options.backends.add("sleeper", backend_actor{spawn<sleeper>(system)});
  auto scheduler = spawn_agent_scheduler(system, options);
  blocking_run run{spawn_agent_run(system, *scheduler)};
  wire::AgentTask task;
  task.set_agent_id("a");
  const auto record = run.run(task);
  std::printf("slept for %ld ms\n",
              record ? long(record->elapsed_ns() / 1'000'000) : -1L);
  return record && record->result().status() == wire::AGENT_STATUS_OK ? 0 : 1;
}
