#include "messages/agent.pb.h"
#include "messages/backend.pb.h"
#include "messages/consensus.pb.h"
#include "messages/door.pb.h"
#include "messages/event.pb.h"
#include "messages/explain.pb.h"
#include "messages/journal.pb.h"
#include "messages/node.pb.h"
#include "messages/plan.pb.h"
#include "messages/run.pb.h"
#include "messages/scheduling.pb.h"
#include "tests/catch.hpp"

#include <sstream>
#include <string>

using namespace turnstile;

namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

std::string type_of(const FieldDescriptor& field) {
  if (field.is_map())
    return "map<" + type_of(*field.message_type()->map_key()) + ','
           + type_of(*field.message_type()->map_value()) + '>';
  std::string name = field.type_name();
  if (field.message_type())
    name = field.message_type()->name();
  if (field.enum_type())
    name = field.enum_type()->name();
  if (field.is_repeated())
    return name + '*';
  return field.has_presence() && !field.message_type() ? name + '?' : name;
}

std::string text_of(const Descriptor& type) {
  std::string out = type.name() + ':';
  for (int i = 0; i < type.field_count(); ++i)
    out += ' ' + std::to_string(type.field(i)->number()) + '.'
           + type.field(i)->name() + '.' + type_of(*type.field(i));
  return out;
}

std::string text_of(const EnumDescriptor& type) {
  std::string out = type.name() + ':';
  for (int i = 0; i < type.value_count(); ++i)
    out += ' ' + std::to_string(type.value(i)->number()) + '.'
           + type.value(i)->name();
  return out;
}

// Everything in a schema that other nodes and old journals rely on. A number,
// a name and a type for each field, `?` if absence is told apart.
std::string text_of(const FileDescriptor& file) {
  std::string out;
  for (int i = 0; i < file.enum_type_count(); ++i)
    out += text_of(*file.enum_type(i)) + ' ';
  for (int i = 0; i < file.message_type_count(); ++i)
    out += text_of(*file.message_type(i)) + ' ';
  return out;
}

// Turns every white space into one space, so that tables can be laid out.
std::string words_of(const std::string& text) {
  std::istringstream in{text};
  std::string out;
  for (std::string word; in >> word;)
    out += word + ' ';
  return out;
}

} // namespace

// What stands here is never changed and never taken away: append only.
TEST_CASE("the numbers in scheduling.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
WorkLifecycle: 0.WORK_LIFECYCLE_UNSPECIFIED 1.WORK_LIFECYCLE_QUEUED
    2.WORK_LIFECYCLE_PREPARED 3.WORK_LIFECYCLE_SUBMITTED
    4.WORK_LIFECYCLE_COMPLETING 5.WORK_LIFECYCLE_COMMITTED
    6.WORK_LIFECYCLE_ABANDONED 7.WORK_LIFECYCLE_FAILED
RequestStatus: 0.REQUEST_STATUS_UNSPECIFIED 1.REQUEST_STATUS_ACTIVE
    2.REQUEST_STATUS_FINISHED 3.REQUEST_STATUS_CANCELLED
    4.REQUEST_STATUS_DEADLINE_EXCEEDED 5.REQUEST_STATUS_FAILED
CancellationCause: 0.CANCELLATION_CAUSE_UNSPECIFIED
    1.CANCELLATION_CAUSE_EXPLICIT 2.CANCELLATION_CAUSE_DEADLINE
RequestId: 1.value.uint64?
WorkId: 1.request.RequestId 2.sequence.uint64? 3.life.uint64?
Failure: 1.code.uint32 2.detail.string
Limits: 1.max_active_requests.uint64? 2.max_queued_work.uint64?
    3.max_new_submissions_per_turn.uint64? 4.max_in_flight_global.uint64?
    5.max_in_flight_per_request.uint64? 6.execution_slice.uint64?
    7.max_queued_per_request.uint64?
Capabilities: 1.limits.Limits 2.observed_backends.map<string,bool>
    3.executing_work_physically_preemptible.bool
    4.non_preemptible_interval.string
Report: 1.active_requests.uint64 2.queued_work.uint64 3.prepared_work.uint64
    4.submitted_in_flight_work.uint64 5.completing_work.uint64
    6.abandoned_in_flight_work.uint64 7.failed_in_flight_work.uint64
    8.current_in_flight_work.uint64 9.peak_in_flight_work.uint64
    10.peak_queued_work.uint64 11.submitted_work.uint64
    12.completed_work.uint64 13.failed_work.uint64 14.discarded_work.uint64
    15.cancellation_before_submission.uint64
    16.cancellation_after_submission.uint64
    17.abandoned_released_work.uint64 18.abandoned_retained_resources.uint64
    19.peak_abandoned_retained_resources.uint64
    20.last_cancellation_to_release_ns.uint64?
    21.max_cancellation_to_release_ns.uint64? 22.finished_requests.uint64
    23.cancelled_requests.uint64 24.deadline_expired_requests.uint64
    25.drain_cycles.uint64 26.configured_submission_bound.uint64
    27.configured_slice_bound.uint64 28.poisoned.bool
    29.failed_requests.uint64 30.delayed_work.uint64 31.parked_work.uint64
    32.reclaimed_work.uint64 33.requeues.uint64 34.late_completions.uint64
    35.stale_completions.uint64 36.ended_requests.uint64
    37.dropped_requests.uint64
)") == text_of(*wire::WorkId::descriptor()->file()));
}

TEST_CASE("the numbers in consensus.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
FrameKind: 0.FRAME_KIND_UNSPECIFIED 1.FRAME_KIND_OBSERVATION
    2.FRAME_KIND_SCHEDULE 3.FRAME_KIND_DISPOSITION 4.FRAME_KIND_POISONED
    5.FRAME_KIND_FORMATION
CommandKind: 0.COMMAND_KIND_UNSPECIFIED 1.COMMAND_KIND_REGISTER_REQUEST
    2.COMMAND_KIND_ENQUEUE 3.COMMAND_KIND_CANCEL_REQUEST
    4.COMMAND_KIND_CANCEL_WORK 5.COMMAND_KIND_FINISH 6.COMMAND_KIND_RELEASE
    7.COMMAND_KIND_FORGET
FrameText: 1.word.uint64 2.text.bytes
Frame: 1.format.uint32 2.kind.FrameKind 3.protocol.uint64 4.epoch.uint64
    5.round.uint64 6.rank.uint64 7.clock_ns.int64 8.length.uint64
    9.words.uint64* 10.texts.FrameText*
RankCommand: 1.format.uint32 2.kind.CommandKind 3.request.RequestId
    4.life.uint64 5.sequence.uint64 6.deadline.Deadline 7.works.uint64
    8.payloads.bytes* 9.own.bool 10.state.bytes?
CommandDone: 1.accepted.WorkId* 2.state.bytes? 3.status.RequestStatus?
    4.life.uint64?
TurnOpened: 1.format.uint32 2.protocol.uint64 3.epoch.uint64 4.round.uint64
    5.clock_ns.int64 6.forms.bool 7.commands.RankCommand*
TurnWanted: 1.format.uint32 2.epoch.uint64 3.rank.uint64
FormGroup: 1.epoch.uint64
Formed: 1.epoch.uint64 2.requests.RequestId*
KeptStatesQuery:
KeptState: 1.request.RequestId 2.commits.uint64 3.state.bytes
KeptStates: 1.states.KeptState*
GroupQuery:
GroupState: 1.epoch.uint64 2.rank.uint64 3.ranks.uint64 4.clock_ns.int64
    5.next_round.uint64 6.frozen.string?
)") == text_of(*wire::Frame::descriptor()->file()));
}

TEST_CASE("the numbers in door.proto are never changed", "[messages][schema]") {
  CHECK(words_of(R"(
DeadlineScope: 0.DEADLINE_SCOPE_UNSPECIFIED 1.DEADLINE_SCOPE_REQUEST
    2.DEADLINE_SCOPE_WORK
DeadlineEnforcement: 0.DEADLINE_ENFORCEMENT_UNSPECIFIED
    1.DEADLINE_ENFORCEMENT_UNTIL_SUBMISSION
    2.DEADLINE_ENFORCEMENT_UNTIL_COMMIT
DropReason: 0.DROP_REASON_UNSPECIFIED 1.DROP_REASON_WITH_REQUEST
    2.DROP_REASON_EXPIRED 3.DROP_REASON_RELEASED 4.DROP_REASON_RECLAIMED
    5.DROP_REASON_CANCELLED
Deadline: 1.remaining_ns.int64? 2.scope.DeadlineScope
    3.enforcement.DeadlineEnforcement
Work: 1.payload.bytes 2.deadline.Deadline
RegisterRequest: 1.request.RequestId 2.state.bytes?
    3.cancel_when_owner_dies.bool
Registered: 1.request.RequestId 2.life.uint64
SubmitWork: 1.request.RequestId 2.work.Work
SubmitBatch: 1.request.RequestId 2.works.Work*
Accepted: 1.work_ids.WorkId*
AwaitWork: 1.work_id.WorkId
WithdrawWork: 1.work_id.WorkId 2.name.string?
AwaitRequest: 1.request.RequestId
WorkEnded: 1.work_id.WorkId 2.lifecycle.WorkLifecycle 3.failure.Failure
    4.drop_reason.DropReason? 5.outcome.bytes? 6.payload.bytes? 7.late.bool
RequestEnded: 1.request.RequestId 2.life.uint64 3.status.RequestStatus
    4.failure.Failure 5.cause.CancellationCause? 6.state.bytes?
CancelRequest: 1.request.RequestId
FinishRequest: 1.request.RequestId 2.verdict.bytes?
ReleaseRequest: 1.request.RequestId
ReleasedState: 1.request.RequestId 2.state.bytes
ForgetRequest: 1.request.RequestId
StatusQuery: 1.request.RequestId
StatusAnswer: 1.request.RequestId 2.status.RequestStatus? 3.life.uint64
    4.queued_work.uint64
LifecycleQuery: 1.work_id.WorkId
LifecycleAnswer: 1.work_id.WorkId 2.lifecycle.WorkLifecycle?
ReportQuery:
CapabilitiesQuery:
)") == text_of(*wire::SubmitWork::descriptor()->file()));
}

TEST_CASE("the numbers in backend.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
Execute: 1.work_id.WorkId 2.submission.uint32 3.payload.bytes
    4.remaining_ns.int64? 5.backend.string
Progress: 1.work_id.WorkId 2.submission.uint32 3.detail.bytes?
ParkWork: 1.work_id.WorkId 2.submission.uint32
UnparkWork: 1.work_id.WorkId 2.submission.uint32
Completed: 1.work_id.WorkId 2.submission.uint32 3.outcome.bytes?
    4.failure.Failure
CancelWork: 1.work_id.WorkId 2.submission.uint32 3.at_once.bool
Quiet: 1.work_id.WorkId 2.submission.uint32
BackendCapabilitiesQuery: 1.backend.string
BackendCapabilities: 1.backend.string 2.streaming.bool 3.mcp_injection.bool
    4.structured_output.bool 5.session_resume.bool 6.models.string*
    7.physically_preemptible.bool
BackendTerms: 1.name.string 2.as_default.bool 3.concurrency.uint64?
    4.rest_after.uint32? 5.first_rest_ns.int64? 6.rest_multiplier.double?
    7.max_rest_ns.int64? 8.closed.bool
SetDefaultBackend: 1.name.string
ObservedBackend: 1.backend.string 2.name.string 3.version.string
    4.title.string?
BackendsQuery:
BackendEntry: 1.terms.BackendTerms 2.capabilities.BackendCapabilities
    3.executing.uint64 4.waiting.uint64 5.resting.bool 6.opens_in_ns.int64?
Backends: 1.entries.BackendEntry* 2.observed.ObservedBackend
)") == text_of(*wire::Execute::descriptor()->file()));
}

TEST_CASE("the numbers in agent.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
AgentStatus: 0.AGENT_STATUS_UNSPECIFIED 1.AGENT_STATUS_OK
    2.AGENT_STATUS_ERROR 3.AGENT_STATUS_CANCELLED 4.AGENT_STATUS_TIMED_OUT
Severity: 0.SEVERITY_UNSPECIFIED 1.SEVERITY_INFO 2.SEVERITY_LOW
    3.SEVERITY_MEDIUM 4.SEVERITY_HIGH 5.SEVERITY_CRITICAL
BackendErrorKind: 0.BACKEND_ERROR_KIND_UNSPECIFIED
    1.BACKEND_ERROR_KIND_SPAWN 2.BACKEND_ERROR_KIND_TIMEOUT
    3.BACKEND_ERROR_KIND_PROTOCOL 4.BACKEND_ERROR_KIND_CONNECTION
    5.BACKEND_ERROR_KIND_CANCELLED 6.BACKEND_ERROR_KIND_CONFIG
    7.BACKEND_ERROR_KIND_IO 8.BACKEND_ERROR_KIND_PARSE
    9.BACKEND_ERROR_KIND_EXECUTION 10.BACKEND_ERROR_KIND_OTHER
ToolPolicy: 1.accept_edits.bool 2.allow_commands.string* 3.allow_mcp.string*
    4.deny.string*
McpEndpoint: 1.name.string 2.url.string 3.run_id.string 4.agent_id.string
    5.auth_token.string?
AgentTask: 1.agent_id.string 2.phase_id.uint32 3.prompt.string
    4.model.string? 5.description.string? 6.role.string? 7.name.string?
    8.agent_seq.uint32 9.allowlist.ToolPolicy 10.workdir.string
    11.mcp_endpoint.McpEndpoint 12.attempt_timeout_ns.int64?
    13.idle_timeout_ns.int64? 14.deadline_ns.int64?
    15.output_schema_json.string? 16.workdir_override.string?
    17.thread_id.string? 18.run_id.string 19.backend.string?
    20.env.map<string,string> 21.earlier_attempts.uint32
    22.backend_version.string 23.memo_key.bytes 24.remembered.TaskRecord
Location: 1.file.string 2.line.uint32?
Finding: 1.kind.string 2.severity.Severity 3.title.string 4.detail.string
    5.location.Location 6.evidence.string* 7.data_json.string?
Artifact: 1.key.string 2.path.string? 3.inline_text.string?
LogRef: 1.path.string 2.tail.string 3.bytes.uint64
TokenUsage: 1.input.uint64 2.output.uint64 3.cache_read.uint64
    4.cache_write.uint64
AgentResult: 1.agent_id.string 2.status.AgentStatus 3.output_json.string
    4.findings.Finding* 5.tokens_used.TokenUsage 6.artifacts.Artifact*
    7.logs.LogRef 8.thread_id.string? 9.output_cut_bytes.uint64
    10.output_replaced_bytes.uint64
BackendError: 1.kind.BackendErrorKind 2.text.string 3.retry_after_ns.int64?
AgentOutcome: 1.result.AgentResult 2.error.BackendError
    3.tokens_spent.TokenUsage 4.logs.LogRef
TaskRecord: 1.result.AgentResult 2.failure.Failure 3.attempts.uint32
    4.retries.uint32 5.schema_retries.uint32 6.tokens.TokenUsage
    7.elapsed_ns.int64 8.backend.string 9.remembered_of.string
)") == text_of(*wire::AgentTask::descriptor()->file()));
}

TEST_CASE("the numbers in run.proto are never changed", "[messages][schema]") {
  CHECK(words_of(R"(
RetryTerms: 1.max_retries.uint32 2.initial_backoff_ns.int64 3.multiplier.double
    4.max_backoff_ns.int64 5.full_jitter.bool 6.schema_retry_max.uint32
AttemptsSoFar: 1.attempts.uint32 2.retries.uint32 3.schema_retries.uint32
    4.first_started_unix_ns.int64? 5.tokens.TokenUsage 6.backend.string
    7.logs.LogRef 8.corrected_prompt.string? 9.last_error.string
RunTerms: 1.run_id.string 2.name.string 3.quota.uint32? 4.retry.RetryTerms
    5.seed.uint64? 6.deadline_ns.int64? 7.plan.bytes 8.memo.bool
RunState: 1.terms.RunTerms 2.records.map<string,TaskRecord> 3.tokens.TokenUsage
AgentTasks: 1.tasks.AgentTask*
TaskAnswer: 1.record.TaskRecord 2.refusal.Failure
TaskAnswers: 1.answers.TaskAnswer*
CancelAgent: 1.agent_id.string
CancelRun:
FinishRun: 1.status.RunStatus? 2.report_json.string
RunEnded: 1.status.RunStatus 2.failure.Failure 3.state.RunState
)") == text_of(*wire::RunState::descriptor()->file()));
}

TEST_CASE("the numbers in event.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
RunStatus: 0.RUN_STATUS_UNSPECIFIED 1.RUN_STATUS_COMPLETED 2.RUN_STATUS_FAILED
    3.RUN_STATUS_CANCELLED 4.RUN_STATUS_PARTIAL
LogLevel: 0.LOG_LEVEL_UNSPECIFIED 1.LOG_LEVEL_TRACE 2.LOG_LEVEL_DEBUG
    3.LOG_LEVEL_INFO 4.LOG_LEVEL_WARN 5.LOG_LEVEL_ERROR
RunStarted: 1.task.string
PhaseStarted: 1.phase_id.uint32 2.label.string 3.planned.uint32
    4.description.string? 5.role.string?
AgentStarted: 1.phase_id.uint32 2.agent_id.string 3.prompt_preview.string
    4.model.string? 5.description.string? 6.role.string? 7.name.string?
    8.agent_seq.uint32
MessageDelta: 1.text.string
ToolCallDelta: 1.name.string 2.summary.string
FileEditDelta: 1.path.string
TokensDelta: 1.usage.TokenUsage
AgentDelta: 1.message.MessageDelta 2.tool_call.ToolCallDelta
    3.file_edit.FileEditDelta 4.tokens.TokensDelta
AgentProgress: 1.agent_id.string 2.delta.AgentDelta
AcpRaw: 1.agent_id.string 2.kind.string 3.raw_json.string
AcpRequest: 1.agent_id.string 2.method.string 3.raw_json.string
AgentDone: 1.agent_id.string 2.status.AgentStatus 3.tokens.TokenUsage
    4.elapsed_ms.uint64 5.name.string? 6.agent_seq.uint32 7.output_json.string
    8.findings.Finding* 9.prompt.string 10.retry_count.uint32
    11.phase_id.uint32 12.backend.string 13.attempts.uint32
    14.schema_retries.uint32 15.failure.Failure 16.trimmed.bool
PhaseDone: 1.phase_id.uint32 2.ok.uint32 3.failed.uint32
RunDone: 1.status.RunStatus 2.total_tokens.TokenUsage 3.report_json.string
Log: 1.agent_id.string? 2.level.LogLevel 3.msg.string
BudgetSet: 1.time_limit_ms.uint64? 2.max_rounds.uint32?
ReportEmitted: 1.phase_id.uint32 2.report_json.string
ParallelStarted: 1.phase_id.uint32 2.span_id.string 3.count.uint32
ParallelDone: 1.phase_id.uint32 2.span_id.string 3.ok.uint32 4.failed.uint32
    5.results_json.string 6.elapsed_ms.uint64
WorkflowStarted: 1.span_id.string 2.path.string 3.args_json.string
WorkflowDone: 1.span_id.string 2.path.string 3.report_json.string
    4.elapsed_ms.uint64 5.error.string?
ConvergeStarted: 1.phase_id.uint32 2.span_id.string 3.items.uint32
    4.max_rounds.uint32
ConvergeDone: 1.phase_id.uint32 2.span_id.string 3.rounds.uint32
    4.converged.bool 5.surviving.uint32 6.result_json.string
    7.elapsed_ms.uint64 8.error.string?
PipelineStarted: 1.total_stages.uint32 2.items.uint32
PipelineStageStarted: 1.stage_index.uint32 2.label.string
    3.agents_in_stage.uint32
PipelineItemDone: 1.stage_index.uint32 2.item_index.uint32
    3.status.AgentStatus 4.tokens.TokenUsage 5.elapsed_ms.uint64
PipelineDone: 1.stages_completed.uint32 2.total_ok.uint32
    3.total_failed.uint32
SchemaRetry: 1.agent_id.string 2.attempt.uint32 3.max.uint32
PlannedPhase: 1.label.string 2.dynamic.bool 3.description.string?
PlanPreview: 1.reasoning.string 2.phases.PlannedPhase*
SignalReceived: 1.signal.string
TaskRefused: 1.agent_id.string 2.code.string 3.reason.string
Gap: 1.first.uint64 2.last.uint64
Event: 1.run_id.string 2.number.uint64 3.ts_ns.int64
    4.run_started.RunStarted 5.phase_started.PhaseStarted
    6.agent_started.AgentStarted 7.agent_progress.AgentProgress
    8.acp_raw.AcpRaw 9.acp_request.AcpRequest 10.agent_done.AgentDone
    11.phase_done.PhaseDone 12.run_done.RunDone 13.log.Log
    14.budget_set.BudgetSet 15.report_emitted.ReportEmitted
    16.parallel_started.ParallelStarted 17.parallel_done.ParallelDone
    18.workflow_started.WorkflowStarted 19.workflow_done.WorkflowDone
    20.converge_started.ConvergeStarted 21.converge_done.ConvergeDone
    22.pipeline_started.PipelineStarted
    23.pipeline_stage_started.PipelineStageStarted
    24.pipeline_item_done.PipelineItemDone 25.pipeline_done.PipelineDone
    26.schema_retry.SchemaRetry 27.plan_preview.PlanPreview
    28.signal_received.SignalReceived 29.task_refused.TaskRefused 30.gap.Gap
EventsQuery: 1.run_id.string 2.from.uint64 3.max.uint32 4.wait.bool
EventBatch: 1.events.Event* 2.next.uint64 3.ended.bool
RunVerdict: 1.run_id.string 2.status.RunStatus 3.report_json.string
)") == text_of(*wire::Event::descriptor()->file()));
}

TEST_CASE("the numbers in journal.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
OpenedFact: 1.request.RequestId 2.life.uint64 3.terms.bytes 4.name.string
    5.label.string 6.at_unix_ns.int64 7.is_volatile.bool
AcceptedFact: 1.work_id.WorkId 2.payload.bytes 3.name.string 4.label.string
    5.at_unix_ns.int64 6.due_unix_ns.int64? 7.scope.DeadlineScope
    8.enforcement.DeadlineEnforcement
StartedFact: 1.work_id.WorkId 2.submission.uint32 3.backend.string
    4.at_unix_ns.int64
WaitsFact: 1.work_id.WorkId 2.submission.uint32 3.attempts.bytes?
    4.at_unix_ns.int64
EndedFact: 1.work_id.WorkId 2.lifecycle.WorkLifecycle 3.outcome.bytes?
    4.failure.Failure 5.dropped.DropReason? 6.ran.bool 7.word.string
    8.state.bytes? 9.at_unix_ns.int64 10.memo_key.bytes
ClosedFact: 1.request.RequestId 2.life.uint64 3.status.RequestStatus
    4.failure.Failure 5.word.string 6.at_unix_ns.int64
EventFact: 1.event.Event 2.about.WorkId
Fact: 1.opened.OpenedFact 2.accepted.AcceptedFact 3.started.StartedFact
    4.waits.WaitsFact 5.ended.EndedFact 6.closed.ClosedFact 7.event.EventFact
AppendFacts: 1.scheduler.string 2.facts.Fact* 3.lazy.bool
Durable: 1.facts.uint64
HistoryQuery: 1.scheduler.string 2.request.RequestId 3.from.uint64 4.max.uint32
WorkHistory: 1.accepted.AcceptedFact 2.submissions.uint32 3.executing.bool
    4.attempts.bytes? 5.ended.EndedFact 6.place.uint64 7.backend.string
    8.ended_as_kept.bytes?
History: 1.opened.OpenedFact 2.closed.ClosedFact 3.state.bytes?
    4.works.WorkHistory* 5.next.uint64 6.more.bool
MemoQuery: 1.key.bytes 2.not_of_run.string
MemoAnswer: 1.outcome.bytes? 2.run.string
StorageState: 1.failure.Failure 2.for_good.bool
Tally: 1.accepted.uint64 2.ended.map<string,uint64>
JournalCommand: 1.id.uint64 2.verb.string 3.run.string 4.task.string
CommandAnswer: 1.failure.Failure 2.text.string 3.explanation.Explanation
ResumeRequest: 1.request.RequestId 2.cancel_when_owner_dies.bool
    3.cancel_at_once.bool
)") == text_of(*wire::Fact::descriptor()->file()));
}

TEST_CASE("the numbers in plan.proto are never changed", "[messages][schema]") {
  CHECK(words_of(R"(
StoredPiece: 1.text.string? 2.output.string? 3.outputs.string?
StoredTask: 1.task.AgentTask 2.prompt.StoredPiece* 3.needs.string*
    4.weight.uint32 5.tenant.string
StoredStep: 1.ok.string? 2.fail.BackendErrorKind? 3.hang.bool? 4.delay_ns.int64
StoredBackend: 1.name.string 2.as_default.bool 3.concurrency.uint32?
    4.command.string* 5.max_output.uint64 6.env.map<string,string>
    7.script.StoredStep*
StoredGroup: 1.first.uint64 2.count.uint64
StoredPlan: 1.run.string 2.quota.uint64 3.concurrency.uint32
    4.deadline_ns.int64? 5.retry.RetryTerms 6.seed.uint64? 7.memo.bool
    8.backends.StoredBackend* 9.tasks.StoredTask*
    10.groups.map<string,StoredGroup>
)") == text_of(*wire::StoredPlan::descriptor()->file()));
}

TEST_CASE("the numbers in explain.proto are never changed",
          "[messages][schema]") {
  CHECK(words_of(R"(
HoldCause: 0.HOLD_CAUSE_UNSPECIFIED 1.HOLD_CAUSE_ENDED 2.HOLD_CAUSE_TURN
    3.HOLD_CAUSE_BACK_OFF 4.HOLD_CAUSE_REQUEST_SLOTS 5.HOLD_CAUSE_BRANCH
    6.HOLD_CAUSE_SLOTS 7.HOLD_CAUSE_BACKEND_FULL 8.HOLD_CAUSE_BACKEND_RESTS
    9.HOLD_CAUSE_BACKEND_PAUSES 10.HOLD_CAUSE_EXECUTING 11.HOLD_CAUSE_PARKED
    12.HOLD_CAUSE_STOPPING 13.HOLD_CAUSE_OTHER_RANKS 14.HOLD_CAUSE_SIBLING
    15.HOLD_CAUSE_NOT_DURABLE 16.HOLD_CAUSE_STORAGE 17.HOLD_CAUSE_SUSPENDED
ExplainQuery: 1.work_id.WorkId 2.name.string?
Holder: 1.work_id.WorkId 2.name.string 3.label.string 4.backend.string
    5.executing_ns.int64?
Explanation: 1.work_id.WorkId 2.name.string 3.label.string
    4.lifecycle.WorkLifecycle 5.cause.HoldCause 6.text.string 7.frees.string
    8.limit.string 9.value.uint64 10.held_by.uint64 11.holders.Holder*
    12.before.uint64 13.remaining_ns.int64? 14.submission.uint32
    15.backend.string 16.executing_ns.int64? 17.so_far.string 18.detail.string
)") == text_of(*wire::Explanation::descriptor()->file()));
}

TEST_CASE("the numbers in node.proto are never changed", "[messages][schema]") {
  CHECK(words_of(R"(
NodeRole: 0.NODE_ROLE_UNSPECIFIED 1.NODE_ROLE_WORKER 2.NODE_ROLE_CLIENT
Envelope: 1.protocol.uint32 2.link.fixed64 3.hello.Hello 4.welcome.Welcome
    5.beat.Beat 6.goodbye.Goodbye 16.dispatch.Dispatch
    17.cancel_work.CancelWork 18.completed.Completed 19.quiet.Quiet
    20.progress.Progress 21.park_work.ParkWork 22.unpark_work.UnparkWork
    23.unparked.Unparked 24.leave.Leave 32.submit_run.SubmitRun
    33.run_accepted.RunAccepted 34.run_refused.RunRefused
    35.follow_run.FollowRun 36.run_news.RunNews 37.stop_run.StopRun
    38.node_query.NodeQuery 39.node_status.NodeStatus
OfferedBackend: 1.terms.BackendTerms 2.able.BackendCapabilities
Hello: 1.role.NodeRole 2.name.string 3.incarnation.fixed64 4.version.string
    5.backends.OfferedBackend* 6.fenced.uint64
Welcome: 1.name.string 2.incarnation.fixed64 3.version.string 4.beat_ns.int64
    5.lease_ns.int64
Beat:
Goodbye: 1.why.Failure
Dispatch: 1.backend.string 2.what.Execute
Unparked: 1.work_id.WorkId 2.submission.uint32 3.refused.Failure
Leave:
SubmitRun: 1.run_id.string 2.plan.bytes
RunAccepted: 1.run_id.string 2.attached.bool 3.lacking.string*
RunRefused: 1.run_id.string 2.why.Failure
FollowRun: 1.run_id.string 2.from.uint64
TaskEnd: 1.place.uint64 2.status.string 3.failure.Failure 4.record.TaskRecord
RunSummary: 1.cancelled.bool 2.suspended.bool 3.lost.Failure
    4.quota_used.uint64 5.tokens.TokenUsage 6.report.Report 7.elapsed_ns.int64
RunNews: 1.run_id.string 2.from.uint64 3.ends.TaskEnd* 4.running.uint64
    5.summary.RunSummary
StopRun: 1.run_id.string
NodeQuery:
WorkerStatus: 1.name.string 2.incarnation.fixed64 3.version.string
    4.leaving.bool 5.backends.BackendEntry*
NodeStatus: 1.name.string 2.workers.WorkerStatus* 3.backends.BackendEntry*
    4.runs.string* 5.clients.uint64 6.workers_lost.uint64 7.works_lost.uint64
    8.fenced.uint64 9.refused.uint64
)") == text_of(*wire::Envelope::descriptor()->file()));
}
