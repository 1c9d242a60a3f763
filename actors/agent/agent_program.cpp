#include "actors/agent/agent_program.hpp"

#include "actors/agent/agent_events.hpp"
#include "actors/log/task_events.hpp"
#include "core/attempt/feedback.hpp"
#include "core/base/duration_text.hpp"
#include "core/base/stable_hash.hpp"
#include "messages/json.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace turnstile {

namespace {

result<wire::RunTerms> read_terms(const std::string& bytes) {
  wire::RunTerms terms;
  if (!terms.ParseFromString(bytes))
    return fail(errc::invalid_argument,
                "RegisterRequest.state is no turnstile.wire.RunTerms");
  return terms;
}

// Lets any span from a message be added to any instant of a clock.
duration bounded(std::int64_t ns) {
  return std::min(duration{ns}, longest_span);
}

result<retry_policy> read_retry(const wire::RunTerms& terms) {
  retry_policy policy;
  if (!terms.has_retry())
    return policy;
  const auto& retry = terms.retry();
  policy.max_retries = retry.max_retries();
  policy.initial_backoff = bounded(retry.initial_backoff_ns());
  policy.multiplier = retry.multiplier();
  policy.max_backoff = bounded(retry.max_backoff_ns());
  policy.jitter = retry.full_jitter() ? jitter_kind::full : jitter_kind::none;
  policy.schema_retry_max = retry.schema_retry_max();
  return validate(policy);
}

/// Which of a task's limits an attempt has passed, as its error says it.
std::string limit_passed(const wire::AgentTask& task, attempt_timeout which) {
  return which == attempt_timeout::idle
           ? "idle_timeout of "
               + duration_text(duration{task.idle_timeout_ns()})
           : "attempt_timeout of "
               + duration_text(duration{task.attempt_timeout_ns()});
}

/// What went wrong with an attempt that its backend did not answer with a
/// result: as an error that the retry policy understands.
backend_error error_of(const wire::AgentTask& task,
                       const attempt_end<agent_program>& end) {
  if (end.timed_out)
    return {backend_error_kind::timeout, limit_passed(task, *end.timed_out)};
  if (!end.how) {
    const auto& why = end.how.error();
    if (why.code == errc::backend_lost)
      return {backend_error_kind::spawn, why.detail};
    if (why.code == errc::cancelled)
      return {backend_error_kind::cancelled, ""};
    return {backend_error_kind::other, why.detail};
  }
  if (!end.how->has_error())
    return {backend_error_kind::protocol,
            "the backend answered neither a result nor an error"};
  auto error = from_wire(end.how->error());
  return error
           ? *std::move(error)
           : backend_error{backend_error_kind::protocol, error.error().detail};
}

/// Whether nobody could even be asked, so that no retry policy applies.
bool has_no_backend(const attempt_end<agent_program>& end) {
  return !end.how
         && (end.how.error().code == errc::unknown_backend
             || end.how.error().code == errc::no_backend);
}

wire::TaskRecord record_of(const wire::AgentTask& task,
                           const agent_program::attempts_type& attempts,
                           instant now) {
  wire::TaskRecord record;
  record.mutable_result()->set_agent_id(task.agent_id());
  record.set_attempts(attempts.log.attempts);
  record.set_retries(attempts.log.retries);
  record.set_schema_retries(attempts.log.schema_retries);
  *record.mutable_tokens() = attempts.tokens;
  record.set_elapsed_ns((now - attempts.first_started.value_or(now)).count());
  record.set_backend(attempts.backend);
  if (task.has_remembered()) // it uses no quota, however it ends
    record.set_remembered_of(task.remembered().remembered_of());
  return record;
}

wire::TaskRecord failed_record(const wire::AgentTask& task,
                               const agent_program::attempts_type& attempts,
                               instant now, wire::AgentStatus status,
                               const failure& why) {
  auto record = record_of(task, attempts, now);
  record.mutable_result()->set_status(status);
  *record.mutable_result()->mutable_logs() = attempts.logs;
  *record.mutable_failure() = to_wire(why);
  return record;
}

/// Why a task ended that was not committed, and what its status is.
std::pair<wire::AgentStatus, failure>
reason_of(const agent_program::terms_type& terms, const wire::AgentTask& task,
          const agent_program::attempts_type& attempts,
          const end_of_work<agent_program>& end) {
  if (end.why != nullptr)
    return {wire::AGENT_STATUS_ERROR, *end.why};
  if (end.lost_by == drop_reason::cancelled)
    return {wire::AGENT_STATUS_CANCELLED,
            {errc::agent_cancelled, "agent cancelled"}};
  if (end.lost_by == drop_reason::expired)
    return {wire::AGENT_STATUS_TIMED_OUT,
            {errc::deadline_exceeded,
             attempts.due_by_run
               ? "the run's deadline of "
                   + duration_text(terms.deadline.value_or(duration{}))
                   + " has passed"
               : "the deadline of "
                   + duration_text(duration{task.deadline_ns()})
                   + " has passed"}};
  if (end.request == request_status::failed)
    return {wire::AGENT_STATUS_ERROR,
            {errc::state, "the run failed before the task ended"}};
  return {wire::AGENT_STATUS_CANCELLED, {errc::run_cancelled, "run cancelled"}};
}

/// The text in a backend's fallback object (an object with the key
/// `_agent_fallback_text`), or nothing if the output is none.
std::optional<std::string> fallback_text(const std::string& output) {
  const auto members = json_members(output);
  if (!members)
    return std::nullopt;
  auto is_fallback = false;
  nlohmann::json text;
  for (const auto& one : *members) {
    is_fallback |= one.name == "_agent_fallback_text";
    if (one.name == "text")
      text = nlohmann::json::parse(one.value, nullptr, false);
  }
  if (!is_fallback)
    return std::nullopt;
  return text.is_string() ? text.get<std::string>() : std::string{};
}

/// In which way the output is not what the task's schema wants, if it has one.
std::optional<schema_mismatch>
mismatch_of(const agent_program::attempts_type& attempts,
            const wire::AgentResult& result) {
  if (!attempts.schema)
    return std::nullopt;
  if (fallback_text(result.output_json()))
    return schema_mismatch{
      "the agent returned text instead of calling the structured_output tool"};
  const auto& output = result.output_json();
  auto checked = attempts.schema->check(output.empty() ? "null" : output);
  if (checked)
    return std::nullopt;
  return schema_mismatch{std::move(checked.error().detail)};
}

/// Puts a correction into the prompt of the next attempt.
void correct(wire::AgentTask& task, agent_program::attempts_type& attempts,
             const schema_mismatch& mismatch, const std::string& output) {
  if (!attempts.first_prompt)
    attempts.first_prompt = task.prompt();
  const auto text = fallback_text(output);
  task.set_prompt(corrected_prompt(
    *attempts.first_prompt, {mismatch.text, text ? *text : output,
                             task.output_schema_json(), text.has_value()}));
}

/// Notes what is known of an attempt once it is over.
void note_attempt(wire::AgentTask& task, agent_program::attempts_type& attempts,
                  const attempt_end<agent_program>& end) {
  ++attempts.log.attempts;
  task.set_earlier_attempts(attempts.log.attempts);
  if (!end.how)
    return;
  add(attempts.tokens, end.how->has_result() ? end.how->result().tokens_used()
                                             : end.how->tokens_spent());
  attempts.logs =
    end.how->has_result() ? end.how->result().logs() : end.how->logs();
}

status positive(bool present, std::int64_t ns, const char* field) {
  if (!present || ns > 0)
    return {};
  return fail(errc::invalid_argument, "AgentTask." + std::string{field}
                                        + " must be positive; leave it out "
                                          "for none");
}

wire::AgentStatus status_of(const failure& why, bool timed_out) {
  if (why.code == errc::agent_cancelled)
    return wire::AGENT_STATUS_CANCELLED;
  return timed_out ? wire::AGENT_STATUS_TIMED_OUT : wire::AGENT_STATUS_ERROR;
}

/// Why a result is not ok that an agent delivered all the same.
failure reason_of(wire::AgentStatus status) {
  switch (status) {
  case wire::AGENT_STATUS_CANCELLED:
    return {errc::agent_cancelled, "agent cancelled"};
  case wire::AGENT_STATUS_TIMED_OUT:
    return {errc::non_retryable, "the agent says that its time was up"};
  default:
    return {errc::non_retryable, "the agent says that it failed"};
  }
}

/// `fill` adds what is to be said of that end.
template <class Fill>
void log_end(const wire::AgentTask& task, const attempt_end<agent_program>& end,
             std::string_view how, Fill fill) {
  log_task(spdlog::level::debug, "attempt_ended", task, task.earlier_attempts(),
           [&](log_line& line) {
             line("how", how)("backend", end.backend);
             line("elapsed_ms", (end.now - end.started).count() / 1'000'000);
             fill(line);
           });
}

void log_failure(const wire::AgentTask& task,
                 const attempt_end<agent_program>& end,
                 const backend_error& error) {
  log_end(task, end, "error", [&](log_line& line) {
    line("error", to_string(error.kind))("text", error.text);
  });
}

/// Compiles a task's schema, and says when it is due that came in at `now`.
status make_ready(agent_program::terms_type& terms, const wire::AgentTask& task,
                  agent_program::attempts_type& attempts, instant now) {
  if (task.has_output_schema_json()) {
    auto schema = terms.schemas.get(task.output_schema_json());
    if (!schema)
      return fail(schema.error().code,
                  "AgentTask.output_schema_json: " + schema.error().detail);
    attempts.schema = std::move(*schema);
  }
  attempts.due = terms.due;
  attempts.due_by_run = terms.due.has_value();
  if (task.has_deadline_ns())
    if (const auto own = later(now, bounded(task.deadline_ns()));
        !attempts.due || own < *attempts.due) {
      attempts.due = own;
      attempts.due_by_run = false;
    }
  return {};
}

/// Takes up what a journal says of a task's attempts.
status read_attempts(const std::string& bytes, wire::AgentTask& task,
                     agent_program::attempts_type& attempts,
                     const wall_clock& wall) {
  wire::AttemptsSoFar read;
  if (!read.ParseFromString(bytes))
    return fail(errc::journal_damaged,
                "the attempts of a task are no turnstile.wire.AttemptsSoFar");
  attempts.log = {read.attempts(), read.retries(), read.schema_retries()};
  attempts.tokens = std::move(*read.mutable_tokens());
  attempts.backend = read.backend();
  attempts.logs = std::move(*read.mutable_logs());
  attempts.last_error = read.last_error();
  if (read.has_first_started_unix_ns())
    attempts.first_started = wall.at(read.first_started_unix_ns());
  if (read.has_corrected_prompt()) {
    attempts.first_prompt = task.prompt();
    task.set_prompt(read.corrected_prompt());
  }
  task.set_earlier_attempts(attempts.log.attempts);
  return {};
}

/// Counts a task of the journal's as accepted.
status take_again(agent_program::terms_type& terms) {
  if (auto taken = terms.tasks.take(); !taken)
    return fail(errc::journal_damaged, "the run has more tasks than its quota: "
                                         + taken.error().detail);
  return {};
}

} // namespace

agent_run_state::agent_run_state(wire::RunTerms terms) {
  *run_.mutable_terms() = std::move(terms);
}

status agent_run_state::commit_branch(branch_type&& branch) {
  if (!branch.record)
    return fail(errc::state, "an agent task must end with a record");
  add_record(run_, std::move(*branch.record));
  return {};
}

void agent_run_state::add_record(wire::RunState& run, wire::TaskRecord record) {
  add(*run.mutable_tokens(), record.tokens());
  const auto key = record.result().agent_id();
  (*run.mutable_records())[key] = std::move(record);
}

status agent_run_state::apply(branch_type& branch, wire::TaskRecord& record) {
  branch.record = record;
  return {};
}

status agent_run_state::apply(branch_type& branch, wire::TaskRecord&& record) {
  branch.record = std::move(record);
  return {};
}

result<std::string> agent_run_state::encode() const {
  return run_.SerializeAsString();
}

result<agent_run_state> agent_run_state::decode(const std::string& bytes) {
  agent_run_state state;
  if (!state.run_.ParseFromString(bytes))
    return fail(errc::invalid_argument,
                "the bytes are no turnstile.wire.RunState");
  return state;
}

result<agent_run_state> agent_program::make_state(const std::string& bytes) {
  auto terms = read_terms(bytes);
  if (!terms)
    return fail(terms.error());
  terms->clear_plan(); // for who takes the run up again, not for who has it
  return agent_run_state{std::move(*terms)};
}

result<agent_program::terms_type>
agent_program::make_terms(const std::string& bytes, instant now) {
  auto terms = read_terms(bytes);
  if (!terms)
    return fail(terms.error());
  auto retry = read_retry(*terms);
  if (!retry)
    return fail(retry.error());
  terms_type made;
  made.as_given = *terms;
  made.as_given.clear_plan();
  if (terms->has_quota())
    made.tasks = quota{terms->quota()};
  made.retry = *retry;
  // A run without a seed draws by its own identity: runs differ, reruns don't.
  made.chance = random_source{terms->has_seed() ? terms->seed()
                                                : stable_hash(terms->run_id())};
  if (terms->has_deadline_ns()) {
    if (terms->deadline_ns() <= 0)
      return fail(errc::invalid_argument,
                  "RunTerms.deadline_ns must be positive; leave it out for "
                  "none");
    made.deadline = bounded(terms->deadline_ns());
    made.due = later(now, *made.deadline);
  }
  return made;
}

void agent_program::publish(const terms_type& terms, wire::Event event) {
  if (terms.as_given.run_id().empty())
    return;
  event.set_run_id(terms.as_given.run_id());
  if (collects_)
    news_.push_back(std::move(event));
  else if (events_)
    anon_mail(std::move(event)).send(events_);
}

void agent_program::request_opened(const terms_type& terms) {
  publish(terms, run_started(terms.as_given));
}

void agent_program::request_closed(const terms_type& terms,
                                   request_status how) {
  auto event = run_done(how, terms.tokens);
  if (terms.verdict)
    call_by(*terms.verdict, *event.mutable_run_done());
  publish(terms, std::move(event));
}

status agent_program::judged(terms_type& terms, const std::string& verdict) {
  wire::RunVerdict read;
  if (!read.ParseFromString(verdict)
      || read.status() == wire::RUN_STATUS_UNSPECIFIED)
    return fail(errc::invalid_argument,
                "FinishRequest.verdict is no turnstile.wire.RunVerdict with a "
                "status");
  terms.verdict = std::move(read);
  return {};
}

void agent_program::refused(const terms_type& terms, const work_message& task,
                            const failure& why) {
  publish(terms, task_refused(task, why));
}

status agent_program::admit(terms_type& terms, work_message& task,
                            attempts_type& attempts, instant now) {
  if (task.agent_id().empty())
    return fail(errc::invalid_argument, "AgentTask.agent_id is missing");
  if (terms.agents.contains(task.agent_id()))
    return fail(errc::duplicate_agent,
                "this run has had a task with the agent_id " + task.agent_id()
                  + " already");
  if (terms.cancelled_early.contains(task.agent_id()))
    return fail(errc::agent_cancelled, "agent cancelled");
  for (const auto& checked :
       {positive(task.has_attempt_timeout_ns(), task.attempt_timeout_ns(),
                 "attempt_timeout_ns"),
        positive(task.has_idle_timeout_ns(), task.idle_timeout_ns(),
                 "idle_timeout_ns"),
        positive(task.has_deadline_ns(), task.deadline_ns(), "deadline_ns")})
    if (!checked)
      return checked;
  if (auto ready = make_ready(terms, task, attempts, now); !ready)
    return ready;
  if (!task.has_remembered()) // which uses none of the quota
    if (auto may = terms.tasks.take(); !may)
      return may;
  terms.agents.emplace(task.agent_id(), 0);
  return {};
}

void agent_program::take_back(terms_type& terms, const work_message& task) {
  terms.agents.erase(task.agent_id());
  if (!task.has_remembered())
    terms.tasks.give_back();
}

void agent_program::accepted(terms_type& terms, const work_message& task,
                             const attempts_type&, const work_id& id) {
  terms.agents[task.agent_id()] = id.sequence;
  log_task(spdlog::level::debug, "task_accepted", task,
           task.earlier_attempts());
  if (task.has_remembered())
    log_task(spdlog::level::info, "task_remembered", task, 0,
             [&](log_line& line) {
               line("of_run", task.remembered().remembered_of());
             });
}

std::optional<std::uint64_t>
agent_program::find_work(const terms_type& terms, const std::string& agent_id) {
  const auto known = terms.agents.find(agent_id);
  if (known == terms.agents.end())
    return std::nullopt;
  return known->second;
}

status agent_program::withdraw_early(terms_type& terms,
                                     const std::string& agent_id) {
  if (agent_id.empty())
    return fail(errc::invalid_argument, "the agent_id is missing");
  if (terms.cancelled_early.size() >= max_early_cancels
      && !terms.cancelled_early.contains(agent_id))
    return fail(errc::capacity,
                "this run remembers " + std::to_string(max_early_cancels)
                  + " cancellations of tasks that have not come; cancel "
                  + agent_id + " once it has");
  terms.cancelled_early.insert(agent_id);
  return {};
}

std::string agent_program::backend_of(const work_message& task) {
  return task.backend();
}

status agent_program::describe(const work_message& task,
                               std::vector<std::uint32_t>& words) {
  words.insert(words.end(), {task.phase_id(), task.agent_seq(),
                             static_cast<std::uint32_t>(task.prompt().size())});
  return {};
}

attempt_limits agent_program::limits_of(const work_message& task) {
  attempt_limits limits;
  if (task.has_attempt_timeout_ns())
    limits.whole = bounded(task.attempt_timeout_ns());
  if (task.has_idle_timeout_ns())
    limits.idle = bounded(task.idle_timeout_ns());
  return limits;
}

void agent_program::attempt_started(const terms_type& terms, work_message& task,
                                    attempts_type& attempts,
                                    const attempt_start& start) {
  if (!attempts.first_started) {
    attempts.first_started = start.now;
    publish(terms, agent_started(task));
  }
  attempts.backend = start.backend;
  log_task(spdlog::level::debug, "attempt_started", task,
           task.earlier_attempts() + 1);
}

void agent_program::progressed(const terms_type& terms,
                               const work_message& task,
                               const std::string& detail) {
  if (auto event = agent_news(task, detail))
    publish(terms, std::move(*event));
}

bool agent_program::succeeded(const outcome_message& outcome) {
  return outcome.has_result()
         && outcome.result().status() == wire::AGENT_STATUS_OK;
}

std::optional<backend_news>
agent_program::news_of(const attempt_end<agent_program>& end) {
  if (end.timed_out)
    return backend_news{};
  if (!end.how)
    return std::nullopt; // nobody was asked, or the backend is gone
  if (!end.how->has_error())
    return backend_news{};
  const auto error = from_wire(end.how->error());
  if (!error || error->kind == backend_error_kind::cancelled)
    return std::nullopt;
  return backend_news{error->kind == backend_error_kind::spawn,
                      error->wanted_pause};
}

next_of_attempt<agent_program>
agent_program::after_attempt(terms_type& terms, work_message& task,
                             attempts_type& attempts,
                             attempt_end<agent_program>&& end) {
  auto give_up_with = [&](const failure& why, bool timed_out) {
    return result<wire::TaskRecord>{
      failed_record(task, attempts, end.now, status_of(why, timed_out), why)};
  };
  if (has_no_backend(end))
    return give_up_with(end.how.error(), false);
  note_attempt(task, attempts, end);
  if (end.how && end.how->has_result() && !end.timed_out) {
    auto& result_seen = *end.how->mutable_result();
    std::optional<failure> why;
    if (const auto how = result_seen.status(); how != wire::AGENT_STATUS_OK) {
      why = reason_of(how);
      log_failure(task, end, {backend_error_kind::other, why->detail});
    } else if (auto mismatch = mismatch_of(attempts, result_seen)) {
      log_end(task, end, "mismatch",
              [&](log_line& line) { line("text", mismatch->text); });
      auto next = next_step(terms.retry, attempts.log, *mismatch, terms.chance);
      if (const auto* again = std::get_if<retry_after>(&next)) {
        publish(terms, schema_retry(task, attempts.log.schema_retries,
                                    terms.retry.schema_retry_max));
        correct(task, attempts, *mismatch, result_seen.output_json());
        attempts.last_error = mismatch->text;
        return try_again{again->delay};
      }
      why = std::get<give_up>(next).why;
      result_seen.set_status(wire::AGENT_STATUS_ERROR);
    } else {
      log_end(task, end, "ok", [](log_line&) {});
    }
    auto record = record_of(task, attempts, end.now);
    *record.mutable_result() = std::move(result_seen);
    record.mutable_result()->set_agent_id(task.agent_id());
    if (why)
      *record.mutable_failure() = to_wire(*why);
    return result<wire::TaskRecord>{std::move(record)};
  }
  const auto error = error_of(task, end);
  log_failure(task, end, error);
  auto next = next_step(terms.retry, attempts.log, error, terms.chance);
  if (auto* again = std::get_if<retry_after>(&next)) {
    log_task(spdlog::level::debug, "attempt_retried", task,
             attempts.log.attempts, [&](log_line& line) {
               line("delay_ms", again->delay.count() / 1'000'000);
             });
    attempts.last_error.assign(to_string(error.kind))
      .append(": ")
      .append(error.text);
    return try_again{again->delay};
  }
  return give_up_with(std::get<give_up>(next).why,
                      error.kind == backend_error_kind::timeout);
}

std::string agent_program::so_far(const attempts_type& attempts) {
  const auto& log = attempts.log;
  if (log.attempts == 0)
    return {};
  auto text = std::to_string(log.attempts)
              + (log.attempts == 1 ? " attempt is over" : " attempts are over");
  if (!attempts.last_error.empty())
    text += "; the last failed: " + attempts.last_error;
  return text;
}

void agent_program::after_lost_attempt(terms_type&, work_message& task,
                                       attempts_type& attempts,
                                       attempt_end<agent_program>&& end) {
  if (has_no_backend(end))
    return;
  note_attempt(task, attempts, end);
  log_failure(task, end, {backend_error_kind::cancelled, ""});
}

std::optional<wire::TaskRecord>
agent_program::work_ended(terms_type& terms, const work_message& task,
                          const attempts_type& attempts,
                          const end_of_work<agent_program>& end) {
  add(terms.tokens, attempts.tokens);
  if (end.result != nullptr) {
    publish(terms, agent_done(task, *end.result));
    return std::nullopt;
  }
  const auto [status, why] = reason_of(terms, task, attempts, end);
  auto record = failed_record(task, attempts, end.now, status, why);
  publish(terms, agent_done(task, record));
  terms.unpublished.push_back(record);
  return record;
}

std::optional<wire::TaskRecord>
agent_program::known_outcome(const work_message& task) {
  if (!task.has_remembered())
    return std::nullopt;
  return task.remembered();
}

std::string agent_program::memo_key_of(const work_message& task,
                                       const result_message& record) {
  return record.result().status() == wire::AGENT_STATUS_OK ? task.memo_key()
                                                           : std::string{};
}

journal_label agent_program::label_of(const terms_type& terms) {
  return {terms.as_given.run_id(), terms.as_given.name()};
}

journal_label agent_program::label_of(const work_message& task) {
  return {task.agent_id(), task.name()};
}

std::string agent_program::word_of(const result_message& record) {
  switch (record.result().status()) {
  case wire::AGENT_STATUS_OK:
    return "ok";
  case wire::AGENT_STATUS_CANCELLED:
    return "cancelled";
  case wire::AGENT_STATUS_TIMED_OUT:
    return "timed_out";
  default:
    return "error";
  }
}

std::string agent_program::word_of(const terms_type& terms,
                                   request_status how) {
  auto called = run_status(how);
  if (called == wire::RUN_STATUS_COMPLETED && terms.verdict)
    called = terms.verdict->status();
  return run_word(called);
}

std::string agent_program::encode_attempts(const work_message& task,
                                           const attempts_type& attempts,
                                           const wall_clock& wall) {
  wire::AttemptsSoFar kept;
  kept.set_attempts(attempts.log.attempts);
  kept.set_retries(attempts.log.retries);
  kept.set_schema_retries(attempts.log.schema_retries);
  if (attempts.first_started)
    kept.set_first_started_unix_ns(wall.unix_ns(*attempts.first_started));
  *kept.mutable_tokens() = attempts.tokens;
  kept.set_backend(attempts.backend);
  *kept.mutable_logs() = attempts.logs;
  kept.set_last_error(attempts.last_error);
  if (attempts.first_prompt)
    kept.set_corrected_prompt(task.prompt());
  return kept.SerializeAsString();
}

result<std::optional<wire::TaskRecord>>
agent_program::restore(terms_type& terms, work_message& task,
                       attempts_type& attempts, const past_of_work& past,
                       instant now, const wall_clock& wall) {
  if (!task.has_remembered())
    if (auto taken = take_again(terms); !taken)
      return fail(taken.error());
  terms.agents.emplace(task.agent_id(), past.id.sequence);
  if (auto ready = make_ready(terms, task, attempts, past.accepted); !ready)
    return fail(ready.error());
  if (auto known = known_outcome(task))
    return known;
  if (!past.attempts.empty())
    if (auto read = read_attempts(past.attempts, task, attempts, wall); !read)
      return fail(read.error());
  if (!past.lost)
    return std::nullopt;
  ++attempts.log.attempts;
  task.set_earlier_attempts(attempts.log.attempts);
  attempts.backend = past.backend;
  if (!attempts.first_started)
    attempts.first_started = now;
  attempts.last_error = "the process that ran it is gone";
  auto next =
    next_step(terms.retry, attempts.log,
              backend_error{backend_error_kind::spawn, attempts.last_error},
              terms.chance);
  const auto* last = std::get_if<give_up>(&next);
  if (last == nullptr)
    return std::nullopt;
  return failed_record(task, attempts, now, wire::AGENT_STATUS_ERROR,
                       last->why);
}

status agent_program::restore_ended(terms_type& terms,
                                    past_of_ended<agent_program>& past) {
  terms.agents.emplace(std::move(past.name), past.id.sequence);
  if (!past.outcome)
    return fail(errc::journal_damaged,
                "task " + to_string(past.id) + " has ended without a record");
  add(terms.tokens, past.outcome->tokens());
  if (!past.committed)
    terms.unpublished.push_back(*past.outcome);
  return past.outcome->remembered_of().empty() ? take_again(terms) : status{};
}

void agent_program::complete_state(terms_type& terms, std::string& state) {
  wire::RunState run;
  if (terms.unpublished.empty() || !run.ParseFromString(state))
    return;
  for (auto& record : terms.unpublished)
    agent_run_state::add_record(run, std::move(record));
  terms.unpublished.clear();
  run.SerializeToString(&state);
}

} // namespace turnstile
