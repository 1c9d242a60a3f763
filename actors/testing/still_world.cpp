#include "actors/testing/still_world.hpp"

#include "actors/caf/clock.hpp"
#include "core/base/check.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#if TURNSTILE_OLD_CAF
#include <caf/scheduler/test_coordinator.hpp>
#else
#include <caf/test/block_type.hpp>
#include <caf/test/context.hpp>
#include <caf/test/fixture/deterministic.hpp>
#include <caf/test/reporter.hpp>
#include <caf/test/runnable.hpp>
#endif

namespace turnstile::testing {

namespace {

// Far from the clock's zero, which has a meaning of its own for CAF.
constexpr auto beginning = instant{std::chrono::hours{1}};

// Actors that still have mail after this many messages will never rest.
constexpr std::size_t endless = 100'000'000;

} // namespace

#if TURNSTILE_OLD_CAF

struct still_world::machine {
  explicit machine(std::unique_ptr<caf::actor_system_config> with)
    : config(std::move(with)), system(prepare(*config)) {
    move_to(beginning);
  }

  // Nobody would run the actors that the system's destructor waits for, and a
  // timer that rearms itself would keep its scheduler busy forever.
  ~machine() {
    system.await_actors_before_shutdown(false);
    coordinator().clock().cancel_all();
    drop_jobs();
    for (auto& whom : living())
      caf::actor_cast<caf::abstract_actor*>(whom)->on_destroy();
    drop_jobs();
  }

  static caf::actor_system_config& prepare(caf::actor_system_config& config) {
    return config.set("scheduler.policy", caf::atom("testing"));
  }

  caf::scheduler::test_coordinator& coordinator() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  }

  bool step() {
    auto& jobs = coordinator().jobs;
    if (jobs.empty())
      return false;
    if (auto* whom = dynamic_cast<caf::scheduled_actor*>(jobs.front()))
      meet(*whom);
    return coordinator().try_run_once();
  }

  void meet(caf::scheduled_actor& whom) {
    met.try_emplace(whom.ctrl(), whom.ctrl());
    if (met.size() < 1000 + 2 * were_living)
      return;
    std::erase_if(met, [](auto& x) { return !x.second.lock(); });
    were_living = met.size();
  }

  /// Returns who would be left over: who waits in a circle of handles, or for
  /// a promise to be kept.
  std::vector<caf::strong_actor_ptr> living() {
    std::vector<caf::strong_actor_ptr> result;
    for (auto& [key, whom] : met)
      if (auto found = whom.lock())
        result.push_back(std::move(found));
    return result;
  }

  void drop_jobs() {
    auto& jobs = coordinator().jobs;
    while (!jobs.empty()) {
      auto* job = jobs.front();
      jobs.pop_front();
      caf::intrusive_ptr_release(job);
    }
  }

  std::optional<instant> next_timer() {
    const auto& timers = coordinator().clock().schedule();
    if (timers.empty())
      return std::nullopt;
    return instant{timers.begin()->first.time_since_epoch()};
  }

  bool fire_next_timer() { return coordinator().trigger_timeout(); }

  void move_to(instant when) {
    coordinator().clock().current_time =
      caf::actor_clock::time_point{when.time_since_epoch()};
  }

  std::unique_ptr<caf::actor_system_config> config;
  caf::actor_system system;
  std::unordered_map<caf::actor_control_block*, caf::weak_actor_ptr> met;
  std::size_t were_living = 0; // when `met` was last cleared of the dead
};

#else

namespace {

// CAF's fixture expects to run below CAF's own test runner. There is one for
// all worlds, and it stays.
class pretended_runner {
public:
  /// Makes the calling thread believe in it.
  static pretended_runner& enter() {
    static auto* const runner = new pretended_runner;
    caf::logger::current_logger(runner->logger_.get());
    return *runner;
  }

private:
  pretended_runner() : reporter_(caf::test::reporter::make_default()) {
    caf::test::reporter::instance(reporter_.get());
    logger_ = make_logger<caf::test::reporter>();
  }

  struct test : caf::test::runnable {
    test()
      : runnable(std::make_shared<caf::test::context>(), "",
                 caf::test::block_type::test) {}
    void do_run() {}                    // its name in 1.1.0
    void run_next_test_branch_impl() {} // its name after 1.1.0
  };

  template <class Reporter>
  static caf::intrusive_ptr<caf::logger> make_logger() {
    if constexpr (requires { Reporter::make_logger(); })
      return Reporter::make_logger(); // 1.1.0
    else
      return Reporter::make_logger(0, {}); // after 1.1.0
  }

  std::unique_ptr<caf::test::reporter> reporter_;
  caf::intrusive_ptr<caf::logger> logger_;
  test test_;
};

} // namespace

struct still_world::machine {
  explicit machine(std::unique_ptr<caf::actor_system_config>)
    : system(fixture.sys) {
    move_to(beginning);
  }

  ~machine() { system.await_actors_before_shutdown(false); }

  bool step() { return fixture.dispatch_message(); }

  std::optional<instant> next_timer() {
    if (!fixture.has_pending_timeout())
      return std::nullopt;
    return instant{fixture.next_timeout().time_since_epoch()};
  }

  bool fire_next_timer() { return fixture.trigger_timeout(); }

  void move_to(instant when) {
    fixture.set_time(caf::actor_clock::time_point{when.time_since_epoch()});
  }

  pretended_runner& runner = pretended_runner::enter();
  caf::test::fixture::deterministic fixture;
  caf::actor_system& system;
};

#endif

still_world::still_world(std::unique_ptr<caf::actor_system_config> config)
  : machine_(std::make_unique<machine>(std::move(config))) {
  settle(); // CAF's own actors have mail, too
}

still_world::~still_world() = default;

caf::actor_system& still_world::system() noexcept {
  return machine_->system;
}

bool still_world::step() {
  return machine_->step();
}

std::size_t still_world::settle() {
  std::size_t delivered = 0;
  for (;;) {
    while (step())
      TURNSTILE_CHECK(++delivered < endless);
    auto due = next_timer();
    if (!due || *due > now())
      return delivered;
    fire_next_timer();
  }
}

void still_world::advance(duration span) {
  TURNSTILE_CHECK(span >= duration::zero());
  auto end = now() + span;
  settle();
  for (auto due = next_timer(); due && *due <= end; due = next_timer()) {
    fire_next_timer();
    settle();
  }
  if (now() < end)
    machine_->move_to(end);
}

bool still_world::has_timer() const {
  return next_timer().has_value();
}

std::optional<instant> still_world::next_timer() const {
  return machine_->next_timer();
}

bool still_world::fire_next_timer() {
  return machine_->fire_next_timer();
}

instant still_world::now() const {
  return turnstile::now(machine_->system.clock());
}

void still_world::kill_actor(const caf::strong_actor_ptr& whom) {
  caf::anon_send_exit(whom, caf::exit_reason::kill);
  settle();
}

} // namespace turnstile::testing
