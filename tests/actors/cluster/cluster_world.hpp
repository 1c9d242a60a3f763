#pragma once

#include "actors/agent/agent_run.hpp"
#include "actors/agent/agent_scheduler.hpp"
#include "actors/cluster/protocol.hpp"
#include "actors/cluster/server.hpp"
#include "actors/cluster/worker.hpp"
#include "actors/testing/agent_steps.hpp"
#include "actors/testing/scripted_backend.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/translate.hpp"
#include "tests/actors/asking.hpp"
#include "tests/actors/cluster/cable.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cluster_tests {

using namespace turnstile;
using namespace turnstile::testing;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

/// A worker of a test: its backends, and the cable to its server.
struct worker_there {
  std::shared_ptr<cable> wire;
  std::shared_ptr<scripted_calls> calls;
  backend_actor backend;
  worker_actor actor;
};

/// A server of agent tasks on virtual time, with whatever workers a test
/// connects to it. Nothing happens before `settle()` or `advance()`.
struct cluster_world {
  explicit cluster_world(std::uint64_t concurrency = 64) {
    agent_scheduler_options options;
    options.concurrency = concurrency;
    scheduler = *spawn_agent_scheduler(still.system(), std::move(options));
    open_server(1);
    wire::RunTerms terms;
    terms.mutable_retry()->set_max_retries(20);
    terms.mutable_retry()->set_initial_backoff_ns(1'000'000);
    terms.mutable_retry()->set_multiplier(1);
    terms.mutable_retry()->set_max_backoff_ns(1'000'000);
    run = spawn_agent_run(still.system(), scheduler, {terms, {}, {}, {}, {}});
    still.settle();
  }

  ~cluster_world() {
    for (const auto& one : workers) {
      still.kill(one.actor);
      still.kill(one.backend);
      one.wire->sever();
    }
    for (const auto& one : others)
      still.kill(one);
    still.kill(run);
    still.kill(made.front);
    still.kill(made.workers);
    still.kill(scheduler);
  }

  /// A front desk of this incarnation, which new connections find.
  void open_server(std::uint64_t incarnation) {
    front_desk_options front;
    front.name = "server";
    front.incarnation = incarnation;
    made = incarnation == 1
             ? *spawn_server(still.system(), scheduler, std::move(front))
             : *spawn_server(still.system(), made.workers, std::move(front));
    *node = node_actor{made.front};
  }

  /// The server's process dies, but for its scheduler.
  void close_server() {
    *node = nullptr;
    still.kill(made.front);
  }

  /// Connects a worker that offers "tool" with so many slots.
  worker_there& connect(const std::string& name, std::uint64_t slots,
                        std::vector<backend_step> steps,
                        const std::string& offers = "tool") {
    auto& made_now = workers.emplace_back();
    made_now.wire = std::make_shared<cable>(still.system());
    made_now.calls = std::make_shared<scripted_calls>();
    made_now.backend = backend_actor{turnstile::spawn<scripted_backend_state>(
      still.system(), offers, std::move(steps), made_now.calls)};
    worker_options options;
    options.name = name;
    options.incarnation = workers.size();
    options.backends.add(offers, made_now.backend, gate_policy{slots});
    options.uplink.seed = workers.size();
    options.find = made_now.wire->finder(node);
    made_now.actor = spawn_worker(still.system(), std::move(options));
    still.settle();
    return made_now;
  }

  /// Runs a task at "tool"; what became of it shows in what is returned.
  pending<wire::TaskRecord> task(const std::string& backend = "tool") {
    wire::AgentTask order;
    order.set_agent_id("task " + std::to_string(++tasks));
    order.set_prompt("do");
    order.set_backend(backend);
    return ask<wire::TaskRecord>(run, order);
  }

  template <class T, class To, class... Xs>
  pending<T> ask(const To& to, Xs... xs) {
    auto slot = new_pending<T>();
    spawn_asker<T>(still.system(), asks(to, std::move(xs)...), noting<T>(slot));
    return slot;
  }

  wire::NodeStatus status() {
    auto answer = ask<wire::NodeStatus>(made.front, wire::NodeQuery{});
    still.settle();
    REQUIRE(*answer);
    return ***answer;
  }

  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  scheduler_actor scheduler;
  std::shared_ptr<node_actor> node = std::make_shared<node_actor>();
  server made;
  agent_run_actor run;
  std::vector<caf::actor> others;
  std::deque<worker_there> workers;
  int tasks = 0;
};

/// `ok "answer"`, `error: ...`; `-` as long as there is none.
inline std::string text(const pending<wire::TaskRecord>& answer) {
  return text_of(answer, [](const wire::TaskRecord& record) {
    if (record.has_failure())
      return to_string(failure_in(record.failure()));
    return "ok " + record.result().output_json() + " at attempt "
           + std::to_string(record.attempts());
  });
}

} // namespace cluster_tests
