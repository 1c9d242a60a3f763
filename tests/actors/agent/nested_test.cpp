#include "actors/backend/answers.hpp"
#include "actors/backend/backend_with.hpp"
#include "messages/orders.hpp"
#include "tests/actors/agent/agent_world.hpp"

#include <algorithm>
#include <memory>
#include <set>

// Agents that submit tasks of their run and wait for them: while one waits it
// holds no slot.

using namespace agent_tests;

namespace {

/// What the agents of a tree of tasks have in common.
struct tree {
  door_actor door;
  int fan_out = 5;
  bool parks = true; ///< Whether they say that they wait.
  duration work{10ms};
  int executing = 0;
  int peak = 0;
  int started = 0;
  std::string unparked; ///< What those heard who were not let go on.

  void begin() { peak = std::max(peak, ++executing); }
  void end() { --executing; }
};

using parent_backend =
  backend_with<caf::result<void>(wake_atom, std::uint64_t)>;

/// Executes tasks whose prompt is a depth: it submits `fan_out` tasks of the
/// next depth, the first of which has children of its own and the others none,
/// waits for all of them, and then works for a while.
class parent_state {
public:
  parent_state(parent_backend::pointer self, std::shared_ptr<tree> all)
    : self_(self), all_(std::move(all)) {}

  parent_backend::behavior_type make_behavior() {
    return {
      [this](const wire::Execute& what) { return execute(what); },
      [this](const wire::CancelWork& which) {
        for (auto& [number, one] : running_)
          if (one.what.work_id().sequence() == which.work_id().sequence())
            end(number, failed_with(one.what, {errc::cancelled, "stopped"}));
        return quiet_about(which);
      },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
      [this](wake_atom, std::uint64_t number) { succeed_at(number); },
    };
  }

private:
  struct running {
    wire::Execute what;
    wire::AgentTask task;
    scheduler_actor scheduler;
    owed_answer<wire::Completed> owed;
    int children = 0;
    bool ended = false;
  };

  caf::result<wire::Completed> execute(const wire::Execute& what) {
    const auto number = ++number_;
    auto& one = running_[number];
    one = {what, *work_in<wire::AgentTask>(what),
           caf::actor_cast<scheduler_actor>(self_->current_sender()),
           owed_answer<wire::Completed>{self_}};
    auto later = one.owed.later();
    ++all_->started;
    all_->begin();
    const auto depth = std::stoi(one.task.prompt());
    if (depth == 0) {
      work(number);
      return later;
    }
    one.children = all_->fan_out;
    for (int i = 0; i < all_->fan_out; ++i)
      submit(number, one.task.agent_id() + "." + std::to_string(i),
             i == 0 ? depth - 1 : 0);
    if (all_->parks) {
      all_->end();
      mail(self_, about<wire::ParkWork>(what)).send(one.scheduler);
    }
    return later;
  }

  void submit(std::uint64_t parent, const std::string& id, int depth) {
    auto child = task(id);
    child.set_prompt(std::to_string(depth));
    wire::SubmitWork order;
    child.SerializeToString(order.mutable_work()->mutable_payload());
    mail(self_, run_atom_v, order)
      .request(all_->door, caf::infinite)
      .then([this, parent](const wire::WorkEnded&) { child_ended(parent); },
            [this, parent](const caf::error&) { child_ended(parent); });
  }

  void child_ended(std::uint64_t parent) {
    auto& one = running_[parent];
    if (--one.children > 0 || one.ended)
      return;
    if (!all_->parks)
      return work(parent);
    mail(self_, about<wire::UnparkWork>(one.what))
      .request(one.scheduler, caf::infinite)
      .then(
        [this, parent] {
          all_->begin();
          work(parent);
        },
        [this](const caf::error& why) {
          all_->unparked += render(self_->system(), why) + ". ";
        });
  }

  void work(std::uint64_t number) {
    mail(self_, wake_atom_v, number)
      .delay(caf::timespan{all_->work})
      .send(parent_backend{self_});
  }

  void succeed_at(std::uint64_t number) {
    auto& one = running_[number];
    wire::AgentOutcome outcome;
    outcome.mutable_result()->set_status(wire::AGENT_STATUS_OK);
    all_->end();
    end(number, completed_with(one.what, outcome));
  }

  void end(std::uint64_t number, wire::Completed how) {
    auto& one = running_[number];
    one.ended = true;
    one.owed.settle(std::move(how));
  }

  parent_backend::pointer self_;
  std::shared_ptr<tree> all_;
  std::map<std::uint64_t, running> running_;
  std::uint64_t number_ = 0;
};

/// A run whose tasks are agents of one tree.
struct tree_world : agent_world {
  explicit tree_world(std::uint64_t concurrency)
    : agent_world{{}, concurrency} {
    backend = backend_actor{spawn<parent_state>(still.system(), all)};
    anon_mail(join_atom_v, std::string{"parent"}, backend).send(scheduler);
    still.settle();
    all->door = news->door;
  }

  ~tree_world() {
    all->door = nullptr;
    still.kill(backend);
  }

  void submit_root(int depth) {
    auto root = task("root");
    root.set_prompt(std::to_string(depth));
    submit(root);
  }

  std::shared_ptr<tree> all = std::make_shared<tree>();
  backend_actor backend;
};

} // namespace

TEST_CASE("with one slot, tasks that wait for their tasks finish at depth 10 "
          "with fan-out 5, and one runs at a time",
          "[actors][agent]") {
  tree_world w{1};
  w.submit_root(10);
  w.waits();
  CHECK(w.how("root").starts_with("OK"));
  CHECK(w.all->started == 51);
  CHECK(w.all->peak == 1);
}

TEST_CASE("the whole tree of depth 4 finishes within its backend's own bound",
          "[actors][agent]") {
  tree_world w{8};
  wire::BackendTerms terms;
  terms.set_name("parent");
  terms.set_concurrency(2);
  anon_mail(join_atom_v, terms, w.backend).send(w.scheduler);
  w.submit_root(4);
  w.waits();
  CHECK(w.how("root").starts_with("OK"));
  CHECK(w.all->peak == 2);
}

TEST_CASE("without a word that it waits, a task keeps its slot and its "
          "children wait for it",
          "[actors][agent]") {
  tree_world w{1};
  w.all->parks = false;
  w.submit_root(1);
  w.waits();
  CHECK(w.how("root") == "not ended");
  CHECK(w.all->started == 1);
}

TEST_CASE("an attempt's clock stands still while it waits", "[actors][agent]") {
  tree_world w{1};
  auto root = task("root");
  root.set_prompt("1");
  root.set_attempt_timeout_ns(duration{15ms}.count());
  w.submit(root);
  w.waits(); // its children take 50 ms, itself 10 ms
  CHECK(w.how("root") == "OK  at 60ms");
}

TEST_CASE("a task that waits can be cancelled, and does not go on",
          "[actors][agent]") {
  tree_world w{1};
  w.submit_root(1);
  w.withdraw(0);
  CHECK(w.how("root").starts_with("CANCELLED"));
  w.waits();
  CHECK(w.all->started == 6); // its children are tasks of the run
  CHECK(w.all->unparked == "");
}

TEST_CASE("a task's deadline passes also while it waits", "[actors][agent]") {
  tree_world w{1};
  auto root = task("root");
  root.set_prompt("1");
  root.set_deadline_ns(duration{20ms}.count());
  w.submit(root);
  w.waits();
  CHECK(w.how("root").starts_with("TIMED_OUT deadline_exceeded"));
  CHECK(w.how("root").ends_with("at 20ms"));
}
