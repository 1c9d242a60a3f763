#pragma once

#include "actors/caf/caf.hpp"
#include "messages/agent.pb.h"
#include "messages/backend.pb.h"
#include "messages/consensus.pb.h"
#include "messages/door.pb.h"
#include "messages/event.pb.h"
#include "messages/explain.pb.h"
#include "messages/journal.pb.h"
#include "messages/node.pb.h"
#include "messages/run.pb.h"
#include "messages/scheduling.pb.h"

// Everything that may cross a node boundary, but for handles, whose types are
// declared in `actors/interfaces.hpp`. CAF 0.17 sends the quoted name, later
// releases the position in this list: change neither, append only.
CAF_BEGIN_TYPE_ID_BLOCK(turnstile, turnstile::first_type_id)

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RequestId))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::WorkId))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Report))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Capabilities))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Execute))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Completed))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CancelWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Quiet))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::BackendCapabilitiesQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::BackendCapabilities))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Work))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RegisterRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Registered))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::SubmitWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::SubmitBatch))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Accepted))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::AwaitWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::WorkEnded))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::AwaitRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RequestEnded))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CancelRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::FinishRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ReleaseRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ReleasedState))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ForgetRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::StatusQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::StatusAnswer))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::LifecycleQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::LifecycleAnswer))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ReportQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CapabilitiesQuery))

  CAF_ADD_ATOM(turnstile, turnstile, open_atom, "open")
  CAF_ADD_ATOM(turnstile, turnstile, run_atom, "run")
  CAF_ADD_ATOM(turnstile, turnstile, turn_atom, "turn")
  CAF_ADD_ATOM(turnstile, turnstile, wake_atom, "wake")
  CAF_ADD_ATOM(turnstile, turnstile, ended_atom, "ended")
  CAF_ADD_ATOM(turnstile, turnstile, drain_atom, "drain")
  CAF_ADD_ATOM(turnstile, turnstile, exited_atom, "exited")
  CAF_ADD_ATOM(turnstile, turnstile, calls_atom, "calls")
  CAF_ADD_ATOM(turnstile, turnstile, join_atom, "join")
  CAF_ADD_ATOM(turnstile, turnstile, leave_atom, "leave")

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::WithdrawWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Progress))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ParkWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::UnparkWork))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::BackendTerms))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::SetDefaultBackend))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ObservedBackend))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::BackendsQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Backends))

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Event))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::EventsQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::EventBatch))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RunVerdict))

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::AgentTask))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::AgentTasks))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::TaskRecord))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::TaskAnswer))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::TaskAnswers))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CancelAgent))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CancelRun))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::FinishRun))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RunEnded))

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::AppendFacts))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Durable))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::HistoryQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::History))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::StorageState))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ResumeRequest))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::JournalCommand))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CommandAnswer))
  CAF_ADD_ATOM(turnstile, turnstile, watch_atom, "watch")
  CAF_ADD_ATOM(turnstile, turnstile, suspend_atom, "suspend")

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::ExplainQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Explanation))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::MemoQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::MemoAnswer))

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Envelope))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Hello))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RunAccepted))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RunNews))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::NodeQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::NodeStatus))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Failure))
  CAF_ADD_ATOM(turnstile, turnstile, post_atom, "post")

  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Frame))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::RankCommand))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::CommandDone))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::TurnOpened))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::TurnWanted))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::FormGroup))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::Formed))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::KeptStatesQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::KeptStates))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::GroupQuery))
  CAF_ADD_TYPE_ID(turnstile, (turnstile::wire::GroupState))

CAF_END_TYPE_ID_BLOCK(turnstile)
