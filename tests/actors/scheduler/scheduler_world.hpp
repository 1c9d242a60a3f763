#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/scheduler_options.hpp"
#include "actors/testing/scripted_backend.hpp"
#include "actors/testing/still_world.hpp"
#include "messages/translate.hpp"
#include "tests/actors/asking.hpp"
#include "tests/catch.hpp"

#include <caf/event_based_actor.hpp>
#include <google/protobuf/wrappers.pb.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace counter_tests {

using namespace turnstile;
using namespace std::chrono_literals;
using testing::backend_step;

using world = testing::still_world_of<caf::id_block::turnstile,
                                      caf::id_block::turnstile_handles>;

using testing::pending;

// What the answers say, for people: `-` as long as there is none.

inline std::string text(const wire::Accepted& answer) {
  return "accepted " + std::to_string(answer.work_ids_size());
}

inline std::string text(const wire::WorkEnded& ended) {
  auto said = std::string{to_string(*from_wire(ended.lifecycle()))};
  if (ended.has_drop_reason())
    said += ", " + wire::DropReason_Name(ended.drop_reason()).substr(12);
  if (ended.has_failure())
    said += ": " + to_string(*from_wire(ended.failure()));
  google::protobuf::Int64Value sum;
  if (ended.has_outcome() && sum.ParseFromString(ended.outcome()))
    said += " " + std::to_string(sum.value());
  return ended.late() ? said + ", late" : said;
}

inline std::string text(const wire::RequestEnded& ended) {
  auto said = std::string{to_string(*from_wire(ended.status()))};
  // A cancellation says no more than the status.
  if (ended.has_failure() && ended.status() != wire::REQUEST_STATUS_CANCELLED)
    said += ": " + to_string(*from_wire(ended.failure()));
  return ended.has_state() ? said + " at " + ended.state() : said;
}

inline std::string text(const wire::ReleasedState& released) {
  return "released at " + released.state();
}

inline std::string text(const wire::StatusAnswer& answer) {
  if (!answer.has_status())
    return "unknown";
  return std::string{to_string(*from_wire(answer.status()))} + ", queued "
         + std::to_string(answer.queued_work());
}

inline std::string text(const wire::LifecycleAnswer& answer) {
  if (!answer.has_lifecycle())
    return "unknown";
  return std::string{to_string(*from_wire(answer.lifecycle()))};
}

inline std::string text(const door_actor& door) {
  return door ? "a door" : "no door";
}

template <class T>
std::string text(const pending<T>& answer) {
  return testing::text_of(answer,
                          [](const auto& value) { return text(value); });
}

/// A step that adds `amount`.
inline backend_step adds(std::int64_t amount, duration delay = {}) {
  google::protobuf::Int64Value outcome;
  outcome.set_value(amount);
  return testing::succeed{outcome.SerializeAsString(), delay};
}

inline wire::SubmitWork work(std::optional<duration> deadline = {}) {
  wire::SubmitWork message;
  google::protobuf::Int64Value payload;
  payload.SerializeToString(message.mutable_work()->mutable_payload());
  if (deadline)
    message.mutable_work()->mutable_deadline()->set_remaining_ns(
      deadline->count());
  return message;
}

inline wire::RegisterRequest request(std::uint64_t id) {
  wire::RegisterRequest message;
  message.mutable_request()->set_value(id);
  return message;
}

/// A message about a request, for what is said to the scheduler itself.
template <class Message>
Message of(std::uint64_t id, Message message = {}) {
  message.mutable_request()->set_value(id);
  return message;
}

inline wire::AwaitWork await(std::uint64_t sequence) {
  wire::AwaitWork message;
  message.mutable_work_id()->set_sequence(sequence);
  return message;
}

/// Apart, since it takes the compiler long.
result<scheduler_actor> spawn_counter_scheduler(caf::actor_system& system,
                                                scheduler_options options);

/// A scheduler of counters on virtual time, its backends, and whoever asks.
/// Nothing happens before `settle()` or `advance()`.
struct scheduler_world {
  using spawning = result<scheduler_actor> (*)(caf::actor_system&,
                                               scheduler_options);

  /// A scheduler with one backend, "mock", that follows `steps`.
  explicit scheduler_world(std::vector<backend_step> steps,
                           scheduler_options options = {},
                           spawning spawn = spawn_counter_scheduler) {
    mock = backend(std::move(steps));
    options.backends.add("mock", mock);
    scheduler = *spawn(still.system(), std::move(options));
  }

  ~scheduler_world() {
    still.kill(scheduler);
    for (const auto& one : backends)
      still.kill(one);
  }

  backend_actor backend(std::vector<backend_step> steps) {
    backends.push_back(
      backend_actor{turnstile::spawn<testing::scripted_backend_state>(
        still.system(), std::string{"mock"}, std::move(steps), calls)});
    return backends.back();
  }

  /// Sends a question; its answer shows in what is returned.
  template <class T, class To, class... Xs>
  pending<T> ask(const To& to, Xs... xs) {
    return ask_by<T>(testing::asks(to, std::move(xs)...));
  }

  /// The same, overtaking the mail that waits at `to`.
  template <class T, class To, class... Xs>
  pending<T> ask_urgently(const To& to, Xs... xs) {
    return ask_by<T>([to, xs...](caf::event_based_actor* self) {
      return mail(self, xs...).urgent().request(to, caf::infinite);
    });
  }

  /// Opens a request and settles. @pre that is not refused
  door_actor open(std::uint64_t id = 1) {
    auto answer = ask<door_actor>(scheduler, open_atom_v, request(id));
    still.settle();
    REQUIRE(text(answer) == "a door");
    return ***answer;
  }

  pending<wire::WorkEnded> run(const door_actor& door,
                               std::optional<duration> deadline = {}) {
    return ask<wire::WorkEnded>(door, run_atom_v, work(deadline));
  }

  wire::Report report() {
    auto answer = ask<wire::Report>(scheduler, wire::ReportQuery{});
    still.settle();
    REQUIRE(*answer);
    return ***answer;
  }

private:
  template <class T, class Asking>
  pending<T> ask_by(Asking asking) {
    auto slot = testing::new_pending<T>();
    testing::spawn_asker<T>(still.system(), std::move(asking),
                            testing::noting<T>(slot));
    return slot;
  }

public:
  world still;
  std::shared_ptr<testing::scripted_calls> calls =
    std::make_shared<testing::scripted_calls>();
  std::vector<backend_actor> backends;
  backend_actor mock;
  scheduler_actor scheduler;
};

} // namespace counter_tests
