#pragma once

#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"

#include <cstdint>
#include <string>

namespace turnstile {

/// What a node publishes: the way in for workers and clients. It believes
/// nothing of an envelope before it has seen that its protocol is spoken here.
using node_actor = typed_actor<
  /// A `Hello`, and where to answer. Answers `Welcome`, or why not:
  /// `protocol_unknown`, `name_taken`, `capacity`, `invalid_argument`.
  caf::result<wire::Envelope>(wire::Envelope, link_actor),
  /// Everything else, of a link that was welcomed. What makes no sense or
  /// belongs to no link is counted and dropped.
  caf::result<void>(wire::Envelope)>;

/// What serves the links of one role, in the process that is connected to. It
/// hears of its links in this order: joined, envelopes, left.
using desk_actor = typed_actor<
  /// A peer was welcomed; the envelope is its `Hello`.
  caf::result<void>(join_atom, wire::Envelope, link_actor),
  /// It says something.
  caf::result<void>(wire::Envelope),
  /// It is gone; the envelope is its `Goodbye`, or one that says why.
  caf::result<void>(leave_atom, wire::Envelope),
  /// Answers what it knows of how the node stands.
  caf::result<wire::NodeStatus>(wire::NodeQuery)>;

/// Whom an uplink tells what it hears. In this order: joined, envelopes, left.
using uplink_owner_actor = typed_actor<
  /// The connection stands; the envelope is its `Welcome`.
  caf::result<void>(join_atom, wire::Envelope),
  /// The server says something.
  caf::result<void>(wire::Envelope),
  /// It is over; the envelope is the server's `Goodbye`, or says why.
  caf::result<void>(leave_atom, wire::Envelope),
  /// It could not be made. It is tried again.
  caf::result<void>(wire::Failure)>;

/// The way to a server that may come and go.
using uplink_actor = typed_actor<
  /// From the server.
  caf::result<void>(wire::Envelope),
  /// From its owner: connects, with this `Hello`, however often it takes.
  caf::result<void>(join_atom, wire::Hello),
  /// From its owner: tells the server something, if it is connected.
  caf::result<void>(post_atom, wire::Envelope),
  /// From its owner: ends the connection with a `Goodbye`, and makes none.
  caf::result<void>(leave_atom),
  /// Its own: the timer of this number rings.
  caf::result<void>(wake_atom, std::uint64_t)>;

/// Executes what a server gives it at its own backends.
using worker_actor = typed_actor<
  caf::result<void>(join_atom, wire::Envelope),
  caf::result<void>(wire::Envelope),
  caf::result<void>(leave_atom, wire::Envelope),
  caf::result<void>(wire::Failure),
  /// From its backends, about what they execute for it.
  caf::result<void>(wire::Progress), caf::result<void>(wire::ParkWork),
  caf::result<void>(wire::UnparkWork),
  /// Takes nothing more, and answers when all has ended and been told.
  caf::result<void>(drain_atom),
  /// Likewise, but what runs is stopped and handed back at once, to be run
  /// again elsewhere.
  caf::result<void>(suspend_atom)>;

/// The workers of one scheduler, as its backends.
using worker_desk_actor =
  typed_actor<caf::result<wire::Completed>(wire::Execute),
              caf::result<wire::Quiet>(wire::CancelWork),
              caf::result<wire::BackendCapabilities>(
                wire::BackendCapabilitiesQuery),
              caf::result<void>(join_atom, wire::Envelope, link_actor),
              caf::result<void>(wire::Envelope),
              caf::result<void>(leave_atom, wire::Envelope),
              caf::result<wire::NodeStatus>(wire::NodeQuery),
              /// Has works for these backends wait for a worker rather than
              /// fail. Answers which of them nobody offers now.
              caf::result<wire::RunAccepted>(wire::RunAccepted)>;

} // namespace turnstile
