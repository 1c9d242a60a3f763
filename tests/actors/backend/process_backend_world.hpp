#pragma once

#include "actors/backend/process_backend.hpp"
#include "actors/interfaces.hpp"
#include "messages/translate.hpp"
#include "tests/catch.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A process backend with real children. Nothing here waits for time to pass:
// it waits for answers, and gives up when one takes absurdly long.
namespace turnstile::test {

inline constexpr auto long_enough = std::chrono::seconds{60};

class process_backend_world {
public:
  explicit process_backend_world(process_backend_settings settings)
    : host(std::make_shared<process_host>()) {
    settings.name = "shell";
    backend = spawn_process_backend(system, host, std::move(settings));
  }

  /// A world whose backend runs a shell script for each task.
  explicit process_backend_world(const std::string& script)
    : process_backend_world(shell(script)) {}

  static process_backend_settings shell(const std::string& script) {
    process_backend_settings settings;
    settings.command = {"sh", "-c", script};
    return settings;
  }

  static wire::AgentTask task() {
    wire::AgentTask out;
    out.set_agent_id("agent-1");
    out.set_run_id("run-1");
    return out;
  }

  static wire::Execute order(const wire::AgentTask& what,
                             std::uint32_t submission = 1) {
    wire::Execute out;
    *out.mutable_work_id() = to_wire(work_id{{7}, 0, 1});
    out.set_submission(submission);
    out.set_payload(what.SerializeAsString());
    return out;
  }

  /// Asks the backend; `answered` takes what comes back.
  template <class Question>
  auto ask(const Question& what) {
    return mail(self, what).request(backend, long_enough);
  }

  /// Waits for the answer to a question.
  template <class Answer, class Asked>
  Answer answered(Asked&& asked) {
    Answer out;
    std::move(asked).receive(
      [&](Answer& x) { out = std::move(x); },
      [&](const caf::error& why) { FAIL(caf::to_string(why)); });
    return out;
  }

  /// Reads the agent's outcome, which is to be there.
  static wire::AgentOutcome outcome_in(const wire::Completed& ended) {
    INFO(ended.failure().detail());
    REQUIRE(ended.has_outcome());
    wire::AgentOutcome out;
    REQUIRE(out.ParseFromString(ended.outcome()));
    return out;
  }

  wire::AgentOutcome run(const wire::AgentTask& what,
                         std::uint32_t submission = 1) {
    return outcome_in(answered<wire::Completed>(ask(order(what, submission))));
  }

  /// Returns the output of a task that succeeds.
  std::string output_of(const wire::AgentTask& what) {
    auto outcome = run(what);
    INFO(outcome.error().text());
    REQUIRE(outcome.has_result());
    return outcome.result().output_json();
  }

  backend_error error_of(const wire::AgentTask& what) {
    auto outcome = run(what);
    REQUIRE(outcome.has_error());
    return from_wire(outcome.error()).value();
  }

  node_config<> config;
  caf::actor_system system{config};
  caf::scoped_actor self{system};
  std::shared_ptr<process_host> host;
  backend_actor backend;
};

} // namespace turnstile::test
