#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "core/attempt/random_source.hpp"
#include "tests/actors/cluster/cluster_world.hpp"

#include <map>

// Cables that are cut, healed and severed by chance, workers that leave and
// come: every task ends once, and nothing ever runs twice at the same time.

using namespace cluster_tests;

namespace {

/// What runs anywhere, and whether anything ever ran twice at a time.
struct witness {
  std::map<work_id, int> running;
  std::size_t begun = 0;
  bool twice = false;
};

using slow_backend = backend_with<caf::result<void>(wake_atom, std::uint64_t)>;

/// Takes a while for everything, and ends at once what is cancelled.
class slow_backend_state {
public:
  slow_backend_state(slow_backend::pointer self, std::shared_ptr<witness> sees,
                     std::uint64_t seed)
    : self_(self), sees_(std::move(sees)), chance_(seed) {}

  ~slow_backend_state() {
    for (auto& [number, one] : running_)
      --sees_->running[one.key.work];
  }

  slow_backend::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) {
        auto& one = running_[++last_];
        one.key = *key_of(what, "Execute");
        one.what = what;
        one.owed = owed_answer<wire::Completed>{self_};
        ++sees_->begun;
        sees_->twice |= ++sees_->running[one.key.work] > 1;
        mail(self_, wake_atom_v, last_)
          .delay(std::chrono::milliseconds(1 + chance_.draw() % 3000))
          .send(slow_backend{self_});
        return one.owed.later();
      },
      [this](const wire::CancelWork& which) {
        for (auto it = running_.begin(); it != running_.end(); ++it)
          if (it->second.key == *key_of(which, "CancelWork")) {
            end(it, failed_with(which, {errc::cancelled, "stopped"}));
            break;
          }
        return quiet_about(which);
      },
      [this](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
      [this](wake_atom, std::uint64_t number) {
        if (auto it = running_.find(number); it != running_.end()) {
          wire::AgentOutcome outcome;
          outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
          auto how = completed_with(it->second.what, outcome);
          end(it, std::move(how));
        }
      },
    };
  }

private:
  struct one_call {
    submission_key key;
    wire::Execute what;
    owed_answer<wire::Completed> owed;
  };

  void end(std::map<std::uint64_t, one_call>::iterator it,
           wire::Completed how) {
    --sees_->running[it->second.key.work];
    it->second.owed.settle(std::move(how));
    running_.erase(it);
  }

  slow_backend::pointer self_;
  std::shared_ptr<witness> sees_;
  random_source chance_;
  std::map<std::uint64_t, one_call> running_;
  std::uint64_t last_ = 0;
};

/// A worker whose backend tells the witness.
void connect(cluster_world& w, const std::shared_ptr<witness>& sees,
             std::uint64_t seed) {
  auto& made = w.workers.emplace_back();
  made.wire = std::make_shared<cable>(w.still.system());
  made.backend = backend_actor{
    turnstile::spawn<slow_backend_state>(w.still.system(), sees, seed)};
  worker_options options;
  options.name = "worker " + std::to_string(w.workers.size());
  options.incarnation = seed;
  options.backends.add("tool", made.backend, gate_policy{3});
  options.uplink.seed = seed;
  options.find = made.wire->finder(w.node);
  made.actor = spawn_worker(w.still.system(), std::move(options));
}

void break_something(cluster_world& w, random_source& chance) {
  auto& victim = w.workers[chance.draw() % w.workers.size()];
  switch (chance.draw() % 6) {
  case 0:
    victim.wire->open->to_server.cut();
    break;
  case 1:
    victim.wire->open->to_client.cut();
    break;
  case 2:
    victim.wire->cut();
    break;
  case 3:
    victim.wire->sever();
    break;
  case 4:
    anon_mail(suspend_atom_v).send(victim.actor);
    break;
  default:
    victim.wire->heal();
  }
}

void live(std::uint64_t seed) {
  CAPTURE(seed);
  random_source chance{seed};
  auto sees = std::make_shared<witness>();
  cluster_world w;
  std::vector<pending<wire::TaskRecord>> all;
  for (int i = 0; i < 2; ++i)
    connect(w, sees, chance.draw());
  w.still.settle(); // "tool" is known from now on
  for (int step = 0; step < 40; ++step) {
    if (chance.draw() % 3 == 0)
      all.push_back(w.task());
    if (chance.draw() % 4 == 0)
      break_something(w, chance);
    if (chance.draw() % 10 == 0)
      connect(w, sees, chance.draw());
    w.still.advance(std::chrono::milliseconds(chance.draw() % 2000));
    REQUIRE_FALSE(sees->twice);
  }
  for (auto& one : w.workers)
    one.wire->heal();
  connect(w, sees, chance.draw());
  w.still.advance(5min);
  REQUIRE_FALSE(sees->twice);
  for (const auto& one : all)
    CHECK_THAT(text(one), Catch::Matchers::StartsWith("ok "));
  for (const auto& [work, running] : sees->running)
    CHECK(running == 0);
  CHECK(sees->begun >= all.size());
}

} // namespace

TEST_CASE("through every accident each task ends once and never runs twice at "
          "a time",
          "[actors][cluster]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    live(seed);
}
