#include "actors/agent/agent_program.hpp"

#include "actors/log/task_events.hpp"
#include "core/base/stable_hash.hpp"
#include "messages/token_usage.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
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
  return std::min(duration{ns}, duration{std::chrono::hours{24 * 36'500}});
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

/// What went wrong with an attempt that its backend did not answer with a
/// result: as an error that the retry policy understands.
backend_error error_of(const attempt_end<agent_program>& end) {
  if (end.timed_out)
    return {backend_error_kind::timeout, ""};
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
                           const attempt_end<agent_program>& end) {
  wire::TaskRecord record;
  record.mutable_result()->set_agent_id(task.agent_id());
  record.set_attempts(attempts.log.attempts);
  record.set_retries(attempts.log.retries);
  record.set_schema_retries(attempts.log.schema_retries);
  *record.mutable_tokens() = attempts.tokens;
  record.set_elapsed_ns(
    (end.now - attempts.first_started.value_or(end.now)).count());
  record.set_backend(end.backend);
  return record;
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

/// @param error why it failed, if it did
void log_end(const wire::AgentTask& task, const attempt_end<agent_program>& end,
             const backend_error* error) {
  log_task(spdlog::level::debug, "attempt_ended", task, task.earlier_attempts(),
           [&](log_line& line) {
             line("how", error == nullptr ? "ok" : "error");
             line("backend", end.backend);
             line("elapsed_ms", (end.now - end.started).count() / 1'000'000);
             if (error != nullptr)
               line("error", to_string(error->kind))("text", error->text);
           });
}

} // namespace

agent_run_state::agent_run_state(wire::RunTerms terms) {
  *run_.mutable_terms() = std::move(terms);
}

status agent_run_state::commit_branch(branch_type&& branch) {
  if (!branch.record)
    return fail(errc::state, "an agent task must end with a record");
  add(*run_.mutable_tokens(), branch.record->tokens());
  const auto key = branch.record->result().agent_id();
  (*run_.mutable_records())[key] = std::move(*branch.record);
  return {};
}

status agent_run_state::apply(branch_type& branch, wire::TaskRecord& record) {
  branch.record = record;
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
  return agent_run_state{std::move(*terms)};
}

result<agent_program::terms_type>
agent_program::make_terms(const std::string& bytes) {
  auto terms = read_terms(bytes);
  if (!terms)
    return fail(terms.error());
  auto retry = read_retry(*terms);
  if (!retry)
    return fail(retry.error());
  // A run without a seed draws by its own identity: runs differ, reruns don't.
  const auto seed =
    terms->has_seed() ? terms->seed() : stable_hash(terms->run_id());
  return terms_type{terms->has_quota() ? quota{terms->quota()} : quota{},
                    *retry, random_source{seed}};
}

status agent_program::admit(terms_type& terms, const work_message& task) {
  if (task.agent_id().empty())
    return fail(errc::invalid_argument, "AgentTask.agent_id is missing");
  if (task.has_attempt_timeout_ns() && task.attempt_timeout_ns() <= 0)
    return fail(errc::invalid_argument,
                "AgentTask.attempt_timeout_ns must be positive; leave it out "
                "for none");
  return terms.tasks.check();
}

void agent_program::admitted(terms_type& terms, const work_message& task) {
  static_cast<void>(terms.tasks.take());
  log_task(spdlog::level::debug, "task_accepted", task,
           task.earlier_attempts());
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

std::optional<duration>
agent_program::attempt_timeout(const work_message& task) {
  // Asked once for each attempt, when it starts.
  log_task(spdlog::level::debug, "attempt_started", task,
           task.earlier_attempts() + 1);
  if (!task.has_attempt_timeout_ns())
    return std::nullopt;
  return bounded(task.attempt_timeout_ns());
}

next_of_attempt<agent_program>
agent_program::after_attempt(terms_type& terms, work_message& task,
                             attempts_type& attempts,
                             attempt_end<agent_program>&& end) {
  if (!attempts.first_started)
    attempts.first_started = end.started;
  auto give_up_with = [&](failure why, bool timed_out) {
    auto record = record_of(task, attempts, end);
    record.mutable_result()->set_status(status_of(why, timed_out));
    *record.mutable_failure() = to_wire(why);
    return result<wire::TaskRecord>{std::move(record)};
  };
  if (has_no_backend(end))
    return give_up_with(end.how.error(), false);
  ++attempts.log.attempts;
  task.set_earlier_attempts(attempts.log.attempts);
  if (end.how)
    add(attempts.tokens, end.how->has_result() ? end.how->result().tokens_used()
                                               : end.how->tokens_spent());
  if (end.how && end.how->has_result() && !end.timed_out) {
    log_end(task, end, nullptr);
    auto record = record_of(task, attempts, end);
    *record.mutable_result() = std::move(*end.how->mutable_result());
    record.mutable_result()->set_agent_id(task.agent_id());
    if (const auto how = record.result().status(); how != wire::AGENT_STATUS_OK)
      *record.mutable_failure() = to_wire(reason_of(how));
    return result<wire::TaskRecord>{std::move(record)};
  }
  const auto error = error_of(end);
  log_end(task, end, &error);
  auto next = next_step(terms.retry, attempts.log, error, terms.chance);
  if (auto* again = std::get_if<retry_after>(&next)) {
    log_task(spdlog::level::debug, "attempt_retried", task,
             attempts.log.attempts, [&](log_line& line) {
               line("delay_ms", again->delay.count() / 1'000'000);
             });
    return try_again{again->delay};
  }
  return give_up_with(std::move(std::get<give_up>(next).why),
                      error.kind == backend_error_kind::timeout);
}

} // namespace turnstile
