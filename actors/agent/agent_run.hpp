#pragma once

#include "actors/agent/memo_keys.hpp"
#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/base/result.hpp"
#include "messages/run.pb.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace turnstile {

/// What a run's actor is made of.
struct agent_run_options {
  /// Without a `run_id` it gets a new one.
  wire::RunTerms terms;

  /// The log that its scheduler publishes to. Nothing: it has no events.
  event_log_actor events;

  /// Whose end cancels the run, too.
  caf::actor owner;

  /// Takes the run of this `run_id` up again from its scheduler's journal, with
  /// the terms that it has there. Tasks whose agent id it has had are then not
  /// refused as duplicates: they answer how they ended, or will.
  bool resume = false;

  /// The scheduler's journal, if that shall be so.
  journal_link journal;
};

/// One run of agent tasks as an actor: see `agent_run_actor`.
class agent_run {
public:
  static constexpr const char* name = "turnstile.agent_run";

  agent_run(agent_run_actor::pointer self, scheduler_actor scheduler,
            agent_run_options options);

  agent_run_actor::behavior_type make_behavior();

private:
  using on_answer = std::function<void(wire::TaskAnswer)>;

  /// Does something once the run is open, or could not be opened.
  void when_open(std::function<void()> what);
  void opened(std::optional<failure> problem);

  /// Does something once all tasks so far are with the scheduler, or never will
  /// be.
  void when_handed_in(std::function<void()> what);
  [[nodiscard]] wire::HistoryQuery past_from(std::uint64_t sequence) const;
  void read_past(std::uint64_t from);

  /// Answers how a task ends that the journal has.
  void follow_known(std::uint64_t sequence, const std::string& agent_id,
                    const on_answer& done);
  void read_known(std::uint64_t sequence, const std::string& agent_id,
                  const on_answer& done);

  /// Hands a task in; `done` hears its end exactly once.
  void submit(const wire::AgentTask& what, on_answer done);
  void hand_in(const wire::AgentTask& task, const on_answer& done);

  /// Hands a task in that another run may have been answered already.
  void recall(wire::AgentTask task, const on_answer& done);
  void recalled(const wire::AgentTask& task, const on_answer& done);
  wire::TaskAnswer end_of(const std::string& agent_id,
                          const wire::WorkEnded& ended);

  caf::result<wire::TaskRecord> run(const wire::AgentTask& task);
  caf::result<wire::TaskAnswers> run_all(const wire::AgentTasks& tasks);
  caf::result<wire::TaskAnswer> cancel(const wire::CancelAgent& which);

  /// Asks `whom`, a member, once the run is open, and answers what `read` makes
  /// of what is heard.
  template <class Answer, class Heard, class Handle, class Message, class Read>
  caf::result<Answer> pass_on(const Handle& whom, Message message, Read read,
                              bool after_tasks = false);

  template <class Message>
  caf::result<wire::RunEnded> end(Message message, bool after_tasks = false);

  caf::result<wire::RunEnded> finish(const wire::FinishRun& message);
  caf::result<void> publish(wire::Event event);
  caf::result<wire::EventBatch> read(wire::EventsQuery query);
  [[nodiscard]] failure failure_of(const caf::error& why) const;

  agent_run_actor::pointer self_;
  agent_run_options options_;
  door_actor door_;
  bool opening_ = true;
  std::optional<failure> problem_; ///< Why it is not open.
  std::deque<std::function<void()>> until_open_;

  memo_keys memo_;
  std::uint64_t recalls_ = 0;  ///< Tasks that have asked a memo.
  std::uint64_t recalled_ = 0; ///< Of these, the first so many were answered.

  /// What waits until so many were.
  std::deque<std::pair<std::uint64_t, std::function<void()>>> until_handed_in_;

  /// Which works the tasks are that the journal had, by agent id.
  std::unordered_map<std::string, std::uint64_t> known_;

  /// How tasks have ended, by agent id.
  std::unordered_map<std::string, wire::AgentStatus> ended_;
};

/// The record that an answer has, or why the task was not accepted.
result<wire::TaskRecord> record_or_refusal(wire::TaskAnswer answer);

/// Spawns a run at a scheduler of agent tasks. It lives as long as somebody
/// holds its handle, and its end cancels what is left of the run.
template <class Parent>
agent_run_actor spawn_agent_run(Parent&& parent, scheduler_actor scheduler,
                                agent_run_options options = {}) {
  return spawn<agent_run>(parent, std::move(scheduler), std::move(options));
}

} // namespace turnstile
