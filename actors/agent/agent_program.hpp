#pragma once

#include "actors/agent/schema_cache.hpp"
#include "actors/interfaces.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "core/attempt/next_step.hpp"
#include "core/attempt/quota.hpp"
#include "messages/agent.pb.h"
#include "messages/event.pb.h"
#include "messages/run.pb.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace turnstile {

/// What a run has become: the records of its tasks. Tasks of a run do not see
/// each other's branches, so any number may be in flight, and a commit adds
/// its record to whatever the others have committed meanwhile.
class agent_run_state {
public:
  /// The record that one attempt leaves behind, once it has completed.
  struct branch_type {
    std::optional<wire::TaskRecord> record;
  };

  /// A run's journal keeps the records alone.
  static constexpr bool replays_outcomes = true;

  explicit agent_run_state(wire::RunTerms terms = {});

  [[nodiscard]] result<branch_type> branch() const { return branch_type{}; }
  status commit_branch(branch_type&& branch);
  [[nodiscard]] bool permits_parallel_branches() const { return true; }
  static status apply(branch_type& branch, wire::TaskRecord& record);
  static status apply(branch_type& branch, wire::TaskRecord&& record);

  [[nodiscard]] result<std::string> encode() const;
  static result<agent_run_state> decode(const std::string& bytes);

  [[nodiscard]] const wire::RunState& view() const noexcept { return run_; }

  /// Adds the record of a task to a run's.
  static void add_record(wire::RunState& run, wire::TaskRecord record);

private:
  wire::RunState run_;
};

/// Agent tasks as a program of the transactional scheduler: a run is a
/// request, a task is a work, and every attempt is a submission of the core,
/// so that a task that waits for its next attempt holds no slot (decisions A1,
/// T19). A task that fails commits its failure as its record; it does not fail
/// its run.
class agent_program {
public:
  using work_message = wire::AgentTask;
  using outcome_message = wire::AgentOutcome; ///< Of one attempt.
  using result_message = wire::TaskRecord;    ///< Of the whole task.
  using state_type = agent_run_state;

  /// Its news go nowhere, or to a journal.
  agent_program() = default;

  /// Its news go to `events`, or to a journal.
  explicit agent_program(event_log_actor events) : events_(std::move(events)) {}

  /// A run's terms, apart from its state.
  struct terms_type {
    wire::RunTerms as_given;
    wire::TokenUsage tokens; ///< Of all tasks that have ended.
    quota tasks;
    retry_policy retry;
    random_source chance;
    std::optional<duration> deadline; ///< Of the whole run.
    std::optional<instant> due;       ///< When that is.

    /// What was ever accepted, by agent id, and which work that is.
    std::unordered_map<std::string, std::uint64_t> agents;

    /// Agent ids that were cancelled before they came.
    std::unordered_set<std::string> cancelled_early;
    schema_cache schemas;

    /// Of tasks that ended without publishing: cancelled or too late.
    std::vector<wire::TaskRecord> unpublished;

    /// How the run's end is to be called, if somebody has said so.
    std::optional<wire::RunVerdict> verdict;
  };

  /// What is remembered of a task from attempt to attempt.
  struct attempts_type {
    attempt_log log;
    std::optional<instant> first_started;
    wire::TokenUsage tokens;
    std::string backend;        ///< The last one.
    wire::LogRef logs;          ///< Of the last attempt that failed.
    std::string last_error;     ///< Why that failed.
    std::optional<instant> due; ///< Its own deadline's or its run's.
    bool due_by_run = false;    ///< Which of them.
    std::optional<output_schema> schema;
    std::optional<std::string> first_prompt; ///< If it was corrected since.
  };

  /// Both read `RegisterRequest.state` as a `wire::RunTerms`.
  static result<state_type> make_state(const std::string& bytes);
  static result<terms_type> make_terms(const std::string& bytes, instant now);

  void request_opened(const terms_type& terms);
  void request_closed(const terms_type& terms, request_status how);
  void refused(const terms_type& terms, const work_message& task,
               const failure& why);

  /// Reads a `wire::RunVerdict`, which names no run.
  static status judged(terms_type& terms, const std::string& verdict);

  /// Refuses what is beyond the quota, a second task of the same id, and what
  /// is wrong in itself.
  static status admit(terms_type& terms, work_message& task,
                      attempts_type& attempts, instant now);
  static void take_back(terms_type& terms, const work_message& task);
  static void accepted(terms_type& terms, const work_message& task,
                       const attempts_type& attempts, const work_id& id);

  /// Tasks are known by their agent id.
  static std::optional<std::uint64_t> find_work(const terms_type& terms,
                                                const std::string& agent_id);

  /// Remembers that a task is to be refused when it comes, for so many.
  static constexpr std::size_t max_early_cancels = 1024;
  static status withdraw_early(terms_type& terms, const std::string& agent_id);
  static std::optional<instant> due(const attempts_type& attempts) {
    return attempts.due;
  }

  static std::string backend_of(const work_message& task);

  /// What ranks compare: what does not change from attempt to attempt.
  static status describe(const work_message& task,
                         std::vector<std::uint32_t>& words);
  static attempt_limits limits_of(const work_message& task);
  void attempt_started(const terms_type& terms, work_message& task,
                       attempts_type& attempts, const attempt_start& start);

  /// Passes on what a backend says (`agent_news`).
  void progressed(const terms_type& terms, const work_message& task,
                  const std::string& detail);

  static bool succeeded(const outcome_message& outcome);

  /// What an attempt shows of its backend: whether it fails to start, and how
  /// long it wants no call.
  static std::optional<backend_news>
  news_of(const attempt_end<agent_program>& end);

  /// Another attempt after a pause, or the task's record. Never a failure of
  /// the work, which would end the run.
  next_of_attempt<agent_program>
  after_attempt(terms_type& terms, work_message& task, attempts_type& attempts,
                attempt_end<agent_program>&& end);

  /// Counts what an attempt has used whose result nobody wants any more.
  static void after_lost_attempt(terms_type& terms, work_message& task,
                                 attempts_type& attempts,
                                 attempt_end<agent_program>&& end);

  /// The record of a task that was not committed: cancelled, or too late.
  std::optional<wire::TaskRecord>
  work_ended(terms_type& terms, const work_message& task,
             const attempts_type& attempts,
             const end_of_work<agent_program>& end);

  /// Adds the records of tasks that did not publish to a `wire::RunState`.
  static void complete_state(terms_type& terms, std::string& state);

  /// As in "2 attempts are over; the last failed: spawn: exit code 75".
  static std::string so_far(const attempts_type& attempts);

  /// The answer that another run has had.
  static std::optional<result_message> known_outcome(const work_message& task);

  // --- for journals

  /// Only successes are remembered (decision A13).
  static std::string memo_key_of(const work_message& task,
                                 const result_message& record);

  static journal_label label_of(const terms_type& terms);
  static journal_label label_of(const work_message& task);
  static std::string word_of(const result_message& record);
  static std::string word_of(const terms_type& terms, request_status how);

  /// From now on news are kept for the journal, which passes them on.
  void collect_news() { collects_ = true; }
  std::vector<wire::Event> take_news() { return std::exchange(news_, {}); }

  /// A `wire::AttemptsSoFar`.
  static std::string encode_attempts(const work_message& task,
                                     const attempts_type& attempts,
                                     const wall_clock& wall);

  /// An attempt that ended unknown counts as one whose backend went away.
  static result<std::optional<result_message>>
  restore(terms_type& terms, work_message& task, attempts_type& attempts,
          const past_of_work& past, instant now, const wall_clock& wall);
  static status restore_ended(terms_type& terms,
                              past_of_ended<agent_program>& past);

private:
  void publish(const terms_type& terms, wire::Event event);

  event_log_actor events_;
  bool collects_ = false;
  std::vector<wire::Event> news_;
};

} // namespace turnstile
