#include "actors/caf/version.hpp"

#if TURNSTILE_OLD_CAF

#include "actors/caf/testing/still_machine.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace turnstile::testing {

namespace {

/// Everybody who ever got mail and may still be alive.
class census {
public:
  void meet(caf::actor_control_block* whom) {
    met_.try_emplace(whom, whom);
    if (met_.size() < 1000 + 2 * were_alive_)
      return;
    std::erase_if(met_, [](auto& x) { return !x.second.lock(); });
    were_alive_ = met_.size();
  }

  std::vector<caf::strong_actor_ptr> living() const {
    std::vector<caf::strong_actor_ptr> result;
    for (auto& [key, whom] : met_)
      if (auto found = whom.lock())
        result.push_back(std::move(found));
    return result;
  }

private:
  std::unordered_map<caf::actor_control_block*, caf::weak_actor_ptr> met_;
  std::size_t were_alive_ = 0; // when the dead were last taken out
};

class machine : public still_machine {
public:
  machine(std::unique_ptr<caf::actor_system_config> config, instant beginning)
    : config_(std::move(config)), system_(prepare(*config_)),
      coordinator_(
        dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler())) {
    move_to(beginning);
  }

  // The system's destructor would wait for actors that nobody runs, and its
  // scheduler for the last timer, which never comes if one rearms itself. Who
  // waits in a circle of handles, or owes an answer, ends here.
  ~machine() override {
    system_.await_actors_before_shutdown(false);
    coordinator_.clock().cancel_all();
    drop_mail();
    for (auto& whom : census_.living())
      caf::actor_cast<caf::abstract_actor*>(whom)->on_destroy();
    drop_mail();
  }

  caf::actor_system& system() noexcept override { return system_; }

  bool step() override {
    auto& jobs = coordinator_.jobs;
    if (jobs.empty())
      return false;
    if (auto* whom = dynamic_cast<caf::scheduled_actor*>(jobs.front()))
      census_.meet(whom->ctrl());
    return coordinator_.try_run_once();
  }

  std::optional<instant> next_timer() override {
    const auto& timers = coordinator_.clock().schedule();
    if (timers.empty())
      return std::nullopt;
    return instant{timers.begin()->first.time_since_epoch()};
  }

  bool fire_next_timer() override { return coordinator_.trigger_timeout(); }

  void move_to(instant when) override {
    coordinator_.clock().current_time =
      caf::actor_clock::time_point{when.time_since_epoch()};
  }

private:
  static caf::actor_system_config& prepare(caf::actor_system_config& config) {
    return config.set("scheduler.policy", caf::atom("testing"));
  }

  void drop_mail() {
    auto& jobs = coordinator_.jobs;
    while (!jobs.empty()) {
      auto* job = jobs.front();
      jobs.pop_front();
      caf::intrusive_ptr_release(job);
    }
  }

  std::unique_ptr<caf::actor_system_config> config_;
  caf::actor_system system_;
  caf::scheduler::test_coordinator& coordinator_;
  census census_;
};

} // namespace

std::unique_ptr<still_machine>
still_machine::start(std::unique_ptr<caf::actor_system_config> config,
                     instant beginning) {
  return std::make_unique<machine>(std::move(config), beginning);
}

} // namespace turnstile::testing

#endif
