#pragma once

#include "actors/agent/agent_scheduler.hpp"
#include "actors/testing/agent_steps.hpp"
#include "actors/testing/scripted_backend.hpp"
#include "actors/testing/still_world.hpp"
#include "config/plan/duration.hpp"
#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Words for tests about agent tasks: one run of one client at a scheduler, on
// virtual time, with all that the client is told rendered as text.

namespace agent_tests {

using namespace turnstile;
using namespace turnstile::testing;
using namespace std::chrono_literals;

/// What a client was told.
struct told {
  door_actor door;
  std::string opening = "nothing";        ///< `opened`, or why not.
  std::map<std::string, std::string> how; ///< Of tasks, by agent id.
  std::map<std::string, wire::TaskRecord> records;
  std::string withdrawn;       ///< What each withdrawal of a task was answered.
  std::string end = "nothing"; ///< Of the run, or why it does not end.
  wire::RunState state;        ///< Given away with the run's end.
};

/// Passes on what it is sent, and writes the answers down.
class client_state {
public:
  client_state(caf::event_based_actor* self, scheduler_actor scheduler,
               std::shared_ptr<told> news)
    : self_(self), scheduler_(std::move(scheduler)), news_(std::move(news)),
      began_(now(self->clock())) {}

  caf::behavior make_behavior() {
    return {
      [this](const wire::RegisterRequest& run) {
        mail(self_, open_atom_v, run)
          .request(scheduler_, caf::infinite)
          .then(
            [this](const door_actor& door) {
              news_->door = door;
              news_->opening = "opened";
            },
            [this](const caf::error& why) { news_->opening = text(why); });
      },
      [this](const wire::SubmitWork& work) { submit(work); },
      [this](const wire::WithdrawWork& work) {
        mail(self_, work)
          .request(news_->door, caf::infinite)
          .then(
            [this](const wire::WorkEnded& ended) {
              news_->withdrawn += text("", ended) + ". ";
            },
            [this](const caf::error& why) {
              news_->withdrawn += text(why) + ". ";
            });
      },
      [this](const wire::CancelRequest& message) { ask_to_end(message); },
      [this](const wire::FinishRequest& message) { ask_to_end(message); },
      [this](const wire::ReleaseRequest& message) {
        mail(self_, message)
          .request(news_->door, caf::infinite)
          .then(
            [this](const wire::ReleasedState& released) {
              news_->end = "released";
              CHECK(news_->state.ParseFromString(released.state()));
            },
            [this](const caf::error& why) { news_->end = text(why); });
      },
    };
  }

private:
  void submit(const wire::SubmitWork& work) {
    wire::AgentTask task;
    CHECK(task.ParseFromString(work.work().payload()));
    auto& how = news_->how[task.agent_id()] = "not ended";
    mail(self_, run_atom_v, work)
      .request(news_->door, caf::infinite)
      .then(
        [this, &how, id = task.agent_id()](const wire::WorkEnded& ended) {
          how = text(id, ended);
        },
        [this, &how](const caf::error& why) { how = "refused: " + text(why); });
  }

  template <class Message>
  void ask_to_end(const Message& message) {
    mail(self_, message)
      .request(news_->door, caf::infinite)
      .then(
        [this](const wire::RequestEnded& ended) {
          news_->end = to_string(from_wire(ended.status()).value());
          CHECK(news_->state.ParseFromString(ended.state()));
        },
        [this](const caf::error& why) { news_->end = text(why); });
  }

  [[nodiscard]] std::string text(const caf::error& why) const {
    return render(self_->system(), why);
  }

  std::string text(const std::string& id, const wire::WorkEnded& ended) {
    const auto at =
      " at " + config::render_duration(now(self_->clock()) - began_);
    if (!ended.has_outcome()) // Its end was told before, to somebody else.
      return std::string{to_string(from_wire(ended.lifecycle()).value())} + at;
    auto& record = news_->records[id];
    CHECK(record.ParseFromString(ended.outcome()));
    CHECK((id.empty() || record.result().agent_id() == id));
    auto status = wire::AgentStatus_Name(record.result().status());
    status = status.substr(std::string{"AGENT_STATUS_"}.size());
    return status
           + (record.has_failure()
                ? " " + to_string(from_wire(record.failure()).value())
                : " " + record.result().output_json())
           + at;
  }

  caf::event_based_actor* self_;
  scheduler_actor scheduler_;
  std::shared_ptr<told> news_;
  instant began_;
};

/// A run that tries again after 100ms, 200ms, 400ms and then always 500ms.
inline wire::RunTerms patient(std::uint32_t max_retries = 2) {
  wire::RunTerms terms;
  terms.set_run_id("0197f0a2-7f00-7000-8000-000000000001");
  auto& retry = *terms.mutable_retry();
  retry.set_max_retries(max_retries);
  retry.set_initial_backoff_ns(duration{100ms}.count());
  retry.set_multiplier(2.0);
  retry.set_max_backoff_ns(duration{500ms}.count());
  return terms;
}

/// A task as short as one can be.
inline wire::AgentTask task(const std::string& id,
                            const std::string& backend = {}) {
  wire::AgentTask made;
  made.set_agent_id(id);
  if (!backend.empty())
    made.set_backend(backend);
  return made;
}

/// A client and its run at a scheduler, which has the backend `mock` if there
/// are steps for it. All ends when the world does.
class agent_world {
public:
  explicit agent_world(std::vector<backend_step> steps,
                       std::uint64_t concurrency = 1,
                       const wire::RunTerms& terms = patient())
    : agent_world(std::move(steps), concurrency, terms.SerializeAsString()) {}

  agent_world(std::vector<backend_step> steps, std::uint64_t concurrency,
              const std::string& state,
              std::optional<duration> reclaim_after = {}) {
    agent_scheduler_options options;
    options.concurrency = concurrency;
    options.reclaim_after = reclaim_after;
    if (!steps.empty()) {
      mock = make_backend(std::move(steps));
      gate_policy tireless; // tests of rests say so
      tireless.rest_after = 0;
      options.backends.add("mock", mock, tireless);
    }
    scheduler = spawn_agent_scheduler(still.system(), options).value();
    client = spawn<client_state>(still.system(), scheduler, news);
    wire::RegisterRequest run;
    run.mutable_request()->set_value(7);
    run.set_state(state);
    run.set_cancel_when_owner_dies(true);
    tell(run);
  }

  agent_world(const agent_world&) = delete;

  /// Actors that know each other would outlive the world.
  ~agent_world() {
    still.kill(scheduler);
    still.kill(client);
    if (mock)
      still.kill(mock);
  }

  backend_actor make_backend(std::vector<backend_step> steps) {
    return backend_actor{spawn<scripted_backend_state>(
      still.system(), "mock", std::move(steps), calls)};
  }

  void submit(const wire::AgentTask& what) {
    wire::SubmitWork work;
    what.SerializeToString(work.mutable_work()->mutable_payload());
    tell(work);
  }

  /// Cancels the task that was submitted as the `place`-th, from 0.
  void withdraw(std::uint64_t place) {
    wire::WithdrawWork which;
    which.mutable_work_id()->set_sequence(place);
    tell(which);
  }

  /// Sends a message of the client to the run's door.
  template <class Message>
  void tell(const Message& message) {
    anon_mail(message).send(client);
    still.settle();
  }

  std::string how(const std::string& id) { return news->how[id]; }
  wire::TaskRecord& record(const std::string& id) { return news->records[id]; }

  /// Moves on from timer to timer until nothing happens any more, and returns
  /// how long each wait was: `"100ms 200ms"`.
  std::string waits() {
    std::string all;
    while (auto next = still.next_timer()) {
      all +=
        (all.empty() ? "" : " ") + config::render_duration(*next - still.now());
      still.advance(*next - still.now());
    }
    return all;
  }

  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  std::shared_ptr<scripted_calls> calls = std::make_shared<scripted_calls>();
  std::shared_ptr<told> news = std::make_shared<told>();
  backend_actor mock;
  scheduler_actor scheduler;
  caf::actor client;
};

} // namespace agent_tests
