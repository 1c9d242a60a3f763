#pragma once

#include "actors/caf/caf.hpp"
#include "actors/caf/wall_clock.hpp"
#include "actors/events/event_stream.hpp"
#include "actors/interfaces.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace turnstile {

/// What an event log is made of.
struct event_log_options {
  /// Events of a run that are kept whole, and their size, serialised. Of older
  /// ones only the terminal are kept, without what makes them big.
  std::size_t max_events_per_run = 4096;
  std::size_t max_bytes_per_run = 8 * 1024 * 1024;

  /// Runs that may go on at the same time.
  std::size_t max_active_runs = 1024;

  /// Runs that have ended and can still be read; the oldest goes first.
  std::size_t max_ended_runs = 64;

  /// Questions about a run that may wait for its next event.
  std::size_t max_waiting_per_run = 1024;

  /// What to add to the time of the actor system's clock to get nanoseconds
  /// since the Unix epoch. Absent: asked of the machine when the log begins.
  std::optional<duration> unix_origin;

  /// Where events are kept first, if anywhere: the journal of the schedulers
  /// that publish here. Who falls behind reads them from there.
  journal_actor journal;
};

/// Keeps the events of all runs: one `event_stream` each, who waits for its
/// next event, and what is to be said at its end.
///
/// Invariants:
/// (1) `ended_` names the runs whose stream has ended, each once, in the order
///     of their ends.
/// (2) Who waits for a run wants its next event, and the run has not ended: an
///     event answers all who wait.
class event_log_state {
public:
  static constexpr const char* name = "turnstile.event_log";

  event_log_state(event_log_actor::pointer self, event_log_options options);

  event_log_actor::behavior_type make_behavior();

private:
  struct run {
    event_stream stream;
    std::optional<wire::RunVerdict> verdict;
    std::vector<owed_answer<wire::EventBatch>> waiting;
  };

  /// Hands an event to the journal, if there is one; else it is told at once.
  caf::result<void> take(wire::Event event);
  status publish(wire::Event event);
  void hear(const wire::EventBatch& durable);
  caf::result<wire::EventBatch> read_journal(const wire::EventsQuery& query);
  caf::result<wire::EventBatch> read(const wire::EventsQuery& query);
  void wait_for_next(const wire::EventsQuery& query, std::uint64_t next,
                     owed_answer<wire::EventBatch> owed);
  caf::result<wire::EventBatch> wait(run& whose,
                                     const wire::EventsQuery& query);
  status remember(const wire::RunVerdict& verdict);

  /// Returns the run of this identity, or opens it.
  result<run*> open(const std::string& run_id, std::uint64_t first = 1);
  result<run*> find(const std::string& run_id);

  /// Lets the run that has ended go when its time has come.
  void retire(const std::string& run_id);

  /// Answers what became of what was said about a run, if somebody waits for
  /// that, and logs a refusal.
  caf::result<void> told(const std::string& run_id, const std::string& what,
                         const status& done);

  [[nodiscard]] std::int64_t unix_time() const;

  event_log_actor::pointer self_;
  event_log_options options_;
  wall_clock wall_;
  std::unordered_map<std::string, run> runs_;
  std::deque<std::string> ended_;
};

/// Spawns an event log.
template <class Parent>
event_log_actor spawn_event_log(Parent&& parent,
                                event_log_options options = {}) {
  return spawn<event_log_state>(parent, options);
}

} // namespace turnstile
