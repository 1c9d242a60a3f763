#pragma once

#include "actors/events/event_log.hpp"
#include "actors/testing/still_world.hpp"
#include "tests/actors/asking.hpp"
#include "tests/actors/events/some_events.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace event_tests {

using namespace std::chrono_literals;

using testing::pending;

/// What an answer says, `-` as long as there is none.
template <class T>
std::string text(const pending<T>& answer) {
  return testing::text_of(answer,
                          [](const auto& value) { return text(value); });
}

inline wire::EventsQuery from(std::uint64_t number, std::uint32_t max = 0,
                              const std::string& run_id = "r") {
  wire::EventsQuery query;
  query.set_run_id(run_id);
  query.set_from(number);
  query.set_max(max);
  return query;
}

/// The same question, of who waits until there is an answer.
inline wire::EventsQuery waiting(wire::EventsQuery query) {
  query.set_wait(true);
  return query;
}

inline wire::RunVerdict verdict(wire::RunStatus status,
                                const std::string& report_json = {},
                                const std::string& run_id = "r") {
  wire::RunVerdict said;
  said.set_run_id(run_id);
  said.set_status(status);
  said.set_report_json(report_json);
  return said;
}

/// An event log on virtual time, and whoever asks it.
class event_world {
public:
  explicit event_world(event_log_options options = {}) {
    if (!options.unix_origin)
      options.unix_origin = -still.now().time_since_epoch(); // begins at 1970
    log = spawn_event_log(still.system(), options);
  }

  event_world(const event_world&) = delete;

  ~event_world() { still.kill(log); }

  /// Publishes and settles. @returns what that was answered
  std::string publish(const wire::Event& event) {
    return text(ask<void>(event));
  }

  /// Gives a verdict and settles. @returns what that was answered
  std::string say(const wire::RunVerdict& said) {
    return text(ask<void>(said));
  }

  /// Asks and settles. The answer shows in what is returned once there is one.
  pending<wire::EventBatch> read(const wire::EventsQuery& query) {
    return ask<wire::EventBatch>(query);
  }

  template <class T, class Message>
  pending<T> ask(const Message& what) {
    auto slot = testing::new_pending<T>();
    last_asker = testing::spawn_asker<T>(
      still.system(), testing::asks(log, what), testing::noting<T>(slot));
    still.settle();
    return slot;
  }

  testing::still_world_of<caf::id_block::turnstile,
                          caf::id_block::turnstile_handles>
    still;
  event_log_actor log;
  caf::actor last_asker;
};

} // namespace event_tests
