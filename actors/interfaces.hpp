#pragma once

#include "actors/backend.hpp"
#include "actors/type_ids.hpp"

#include <cstdint>
#include <string>

namespace turnstile {

/// One request's door, opened by its scheduler when a client wants one. The
/// door knows which request it is for: identities of requests in messages to
/// it may be left out. It lives as long as somebody holds it; after the end of
/// its request it answers with that end.
///
/// Errors are `errc`s with a sentence. Ask for a work's or a request's end
/// with an infinite timeout: the scheduler answers every question, and a
/// monitor tells when it is gone.
using door_actor = typed_actor<
  /// Accepts one work, or refuses it at once.
  caf::result<wire::Accepted>(wire::SubmitWork),
  /// Accepts several, all or none.
  caf::result<wire::Accepted>(wire::SubmitBatch),
  /// Submits one work and answers its end.
  caf::result<wire::WorkEnded>(run_atom, wire::SubmitWork),
  /// Answers the end of a work that was accepted.
  caf::result<wire::WorkEnded>(wire::AwaitWork),
  /// Cancels one work and answers as `AwaitWork`.
  caf::result<wire::WorkEnded>(wire::WithdrawWork),
  /// Answers the end of the request, once nothing of it runs any more.
  caf::result<wire::RequestEnded>(wire::AwaitRequest),
  /// Cancels the request and answers as `AwaitRequest`.
  caf::result<wire::RequestEnded>(wire::CancelRequest),
  /// Ends the request normally, unless works are submitted.
  caf::result<wire::RequestEnded>(wire::FinishRequest),
  /// Takes the state of an idle request out and frees its identity.
  caf::result<wire::ReleasedState>(wire::ReleaseRequest),
  caf::result<wire::StatusAnswer>(wire::StatusQuery),
  caf::result<wire::LifecycleAnswer>(wire::LifecycleQuery),
  /// Answers why a work does not go on now, and what would let it.
  caf::result<wire::Explanation>(wire::ExplainQuery),
  /// From its scheduler: the request has ended.
  caf::result<void>(ended_atom, wire::RequestEnded)>;

/// The events of all runs, numbered run by run, in bounded memory. Publishers
/// send them, and any number of readers ask for them, each with a cursor of its
/// own: who goes on with `EventBatch.next` sees every number once, those that
/// the log has let go of as gaps, but every `agent_done` and the `run_done`.
/// With a journal every event is there before anybody reads it, and there are
/// no gaps.
using event_log_actor = typed_actor<
  /// Appends an event; its number and time are the log's. The first event of a
  /// run opens its stream, and `run_done` closes it: what comes later is
  /// refused with `state`. What is refused is also logged, and who sent it
  /// without asking for an answer gets none.
  caf::result<void>(wire::Event),
  /// Answers events at once if there are any at the cursor; else no events, or
  /// if the question says so, as soon as there is one or none can come.
  caf::result<wire::EventBatch>(wire::EventsQuery),
  /// Says how a run is to be called when it ends; the newest word counts.
  caf::result<void>(wire::RunVerdict),
  /// From its journal: events of one run that are durable now, in their order.
  caf::result<void>(wire::EventBatch)>;

/// Hears how the storage of a journal stands, when that changes, and what
/// other processes want of the one that owns it.
using storage_watcher_actor =
  typed_actor<caf::result<void>(wire::StorageState),
              caf::result<wire::CommandAnswer>(wire::JournalCommand)>;

/// Keeps what schedulers tell it, so that no end of a process or a machine
/// loses what anybody was told. Facts that arrive while others are being made
/// durable become so together.
///
/// While it can keep nothing (no space, say) it holds what it was given, tries
/// again by itself, and answers when it has succeeded; watchers hear of both.
/// `fenced` and `journal_damaged` are for good.
using journal_actor = typed_actor<
  /// Keeps facts, all or none. Lazy ones go with the next that somebody waits
  /// for, or a moment later by themselves.
  caf::result<wire::Durable>(wire::AppendFacts),
  /// Answers a page of what is kept of a request.
  caf::result<wire::History>(wire::HistoryQuery),
  /// Answers events of a run that are kept; never waits for more.
  caf::result<wire::EventBatch>(wire::EventsQuery),
  /// Answers the newest outcome that is remembered under a key, if any is.
  caf::result<wire::MemoAnswer>(wire::MemoQuery),
  /// Tells `StorageState` at once, and whenever it changes.
  caf::result<void>(watch_atom, storage_watcher_actor),
  /// Tells every event that becomes durable from now on.
  caf::result<void>(watch_atom, event_log_actor),
  /// Its own: makes durable what waits for it.
  caf::result<void>(turn_atom),
  /// Its own: the timer of this number rings.
  caf::result<void>(wake_atom, std::uint64_t)>;

/// Rings for a journal.
using pacer_actor = typed_actor<
  /// From the journal: rings this number after so many nanoseconds.
  caf::result<void>(wake_atom, std::uint64_t, std::int64_t),
  /// Its own: the timer of this number rings.
  caf::result<void>(wake_atom, std::uint64_t)>;

/// A transactional scheduler. Clients open a door per request and talk to it;
/// what doors pass on is understood here too, with the request named.
using scheduler_actor = typed_actor<
  /// Registers a request and opens its door. If the message says so, the end
  /// of its sender cancels the request.
  caf::result<door_actor>(open_atom, wire::RegisterRequest),
  /// Takes a request up again that the journal has, from where it was, and
  /// opens its door.
  caf::result<door_actor>(open_atom, wire::ResumeRequest),
  caf::result<wire::Accepted>(wire::SubmitWork),
  caf::result<wire::Accepted>(wire::SubmitBatch),
  caf::result<wire::WorkEnded>(run_atom, wire::SubmitWork),
  caf::result<wire::WorkEnded>(wire::AwaitWork),
  caf::result<wire::WorkEnded>(wire::WithdrawWork),
  caf::result<wire::RequestEnded>(wire::AwaitRequest),
  caf::result<wire::RequestEnded>(wire::CancelRequest),
  caf::result<wire::RequestEnded>(wire::FinishRequest),
  caf::result<wire::ReleasedState>(wire::ReleaseRequest),
  /// Frees the identity of an ended request and says how it had ended.
  caf::result<wire::RequestEnded>(wire::ForgetRequest),
  caf::result<wire::StatusAnswer>(wire::StatusQuery),
  caf::result<wire::LifecycleAnswer>(wire::LifecycleQuery),
  caf::result<wire::Explanation>(wire::ExplainQuery),
  caf::result<wire::Report>(wire::ReportQuery),
  caf::result<wire::Capabilities>(wire::CapabilitiesQuery),
  /// From backends: a submission goes on.
  caf::result<void>(wire::Progress),
  /// From backends: a submission waits, and gives its slot back meanwhile.
  caf::result<void>(wire::ParkWork),
  /// From backends: it wants to go on. Answered once it has a slot again;
  /// `cancelled` if its result is not wanted any more.
  caf::result<void>(wire::UnparkWork),
  /// Adds a backend, or replaces the one of that name. The first one becomes
  /// the default.
  caf::result<void>(join_atom, wire::BackendTerms, backend_actor),
  caf::result<void>(join_atom, std::string, backend_actor),
  caf::result<void>(wire::SetDefaultBackend),
  /// From adapters: where works go that name no backend.
  caf::result<void>(wire::ObservedBackend),
  caf::result<wire::Backends>(wire::BackendsQuery),
  /// Takes a backend away. What it is executing goes on to its end.
  caf::result<void>(leave_atom, std::string),
  /// Refuses new requests and works from now on, and answers when nothing is
  /// in progress any more.
  caf::result<void>(drain_atom),
  /// Starts nothing any more, refuses what is new, and has what runs stopped,
  /// to be run again by whoever takes its requests up from the journal; an
  /// attempt that is stopped so is not counted, one that succeeds meanwhile is.
  /// Answers when nothing runs and all that happened is durable.
  caf::result<void>(suspend_atom),
  /// From its journal: whether it can keep anything now.
  caf::result<void>(wire::StorageState),
  /// From its journal: what another process wants of a request here.
  caf::result<wire::CommandAnswer>(wire::JournalCommand),
  /// Its own: runs one turn.
  caf::result<void>(turn_atom),
  /// Its own: the timer of this number rings.
  caf::result<void>(wake_atom, std::uint64_t)>;

/// One run of agent tasks: opens it at a scheduler, hands its tasks in, and
/// knows them by their agent id. What is said while it is being opened waits
/// for that; if it cannot be opened, that error is the answer to everything.
///
/// Its own end, or that of its owner, cancels the run.
using agent_run_actor = typed_actor<
  /// Runs one task and answers its record. A refusal is an error.
  caf::result<wire::TaskRecord>(wire::AgentTask),
  /// Runs several, each for itself, and answers once all have ended.
  caf::result<wire::TaskAnswers>(wire::AgentTasks),
  /// Cancels a task, also one that is still to come.
  caf::result<wire::TaskAnswer>(wire::CancelAgent),
  caf::result<wire::RunEnded>(wire::CancelRun),
  caf::result<wire::RunEnded>(wire::FinishRun),
  /// Publishes on the run's stream, which it fills in.
  caf::result<void>(wire::Event),
  /// Reads the run's stream, which it fills in.
  caf::result<wire::EventBatch>(wire::EventsQuery)>;

/// One end of a connection between nodes, as the other end sees it
/// (`actors/cluster/`).
using link_actor = typed_actor<caf::result<void>(wire::Envelope)>;

/// What the ranks of a group say to each other, and what else an actor of
/// theirs understands.
template <class... More>
using rank_peer_with = typed_actor<
  /// To the leader: a command that a client has said to another rank.
  caf::result<wire::CommandDone>(wire::RankCommand),
  /// From the leader: a turn begins, or a formation.
  caf::result<void>(wire::TurnOpened),
  /// From each: its word in a round.
  caf::result<void>(wire::Frame),
  /// To the leader: something has completed, so that a turn makes sense.
  caf::result<void>(wire::TurnWanted), More...>;

using rank_peer_actor = rank_peer_with<>;

/// One rank of a group in lockstep: a scheduler that does what all the others
/// do. Clients may speak to any of them. Once a rank is lost or the ranks
/// disagree, all are frozen: commands are refused with `poisoned`, states
/// stay, and the group goes on when it is formed anew.
using rank_actor = rank_peer_with<
  /// Says which actor has another rank, also in place of a lost one. Its end
  /// freezes the group.
  caf::result<void>(join_atom, std::uint64_t, rank_peer_actor),
  /// Answers the end of a work, as this rank tells it.
  caf::result<wire::WorkEnded>(wire::AwaitWork),
  caf::result<wire::StatusAnswer>(wire::StatusQuery),
  caf::result<wire::Report>(wire::ReportQuery),
  caf::result<wire::GroupState>(wire::GroupQuery),
  /// To the leader: forms the group under a higher epoch. Answered when it has
  /// been formed, or with what differs.
  caf::result<wire::Formed>(wire::FormGroup),
  /// Answers the states that a frozen rank keeps.
  caf::result<wire::KeptStates>(wire::KeptStatesQuery),
  /// To a new or frozen rank: takes these states over.
  caf::result<void>(wire::KeptStates),
  /// Its own: runs what comes next.
  caf::result<void>(turn_atom),
  /// Its own: the timer of this number rings.
  caf::result<void>(wake_atom, std::uint64_t)>;

} // namespace turnstile

// Handles that travel in messages. Append only, as in `type_ids.hpp`.
CAF_BEGIN_TYPE_ID_BLOCK(turnstile_handles, caf::first_custom_type_id + 420)

  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::backend_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::door_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::event_log_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::agent_run_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::storage_watcher_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::journal_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::link_actor))

  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::rank_peer_actor))
  CAF_ADD_TYPE_ID(turnstile_handles, (turnstile::rank_actor))

CAF_END_TYPE_ID_BLOCK(turnstile_handles)

namespace turnstile {

/// The configuration of an actor system that hosts our actors. An application
/// adds its own type-id blocks: `node_config<caf::id_block::mine>`.
template <class... Blocks>
using node_config = system_config<caf::id_block::turnstile,
                                  caf::id_block::turnstile_handles, Blocks...>;

} // namespace turnstile
