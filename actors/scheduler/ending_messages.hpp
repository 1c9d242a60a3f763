#pragma once

#include "actors/scheduler/hosted_program.hpp"
#include "core/turn/outcome.hpp"
#include "messages/translate.hpp"

// What clients are told of the rows of a turn's outcome.

namespace turnstile {

template <class P>
using outcome_of_core = turn_outcome<core_program<P>>;

inline wire::WorkEnded work_ended(const work_id& id, work_lifecycle how) {
  wire::WorkEnded ended;
  *ended.mutable_work_id() = to_wire(id);
  ended.set_lifecycle(to_wire(how));
  return ended;
}

template <class P>
wire::WorkEnded
message_of(const typename outcome_of_core<P>::committed_row& row) {
  auto ended = work_ended(row.id, work_lifecycle::committed);
  if (row.outcome)
    row.outcome->SerializeToString(ended.mutable_outcome());
  ended.set_late(row.late);
  return ended;
}

template <class P>
wire::WorkEnded message_of(const typename outcome_of_core<P>::failed_row& row) {
  auto ended = work_ended(row.id, work_lifecycle::failed);
  *ended.mutable_failure() = to_wire(row.why);
  row.work.message.SerializeToString(ended.mutable_payload());
  return ended;
}

template <class P>
wire::WorkEnded
message_of(const typename outcome_of_core<P>::dropped_row& row) {
  auto ended = work_ended(row.id, row.lifecycle);
  ended.set_drop_reason(to_wire(row.reason));
  row.work.message.SerializeToString(ended.mutable_payload());
  return ended;
}

/// Without the state, which the scheduler has.
template <class P>
wire::RequestEnded
message_of(const typename outcome_of_core<P>::ended_row& row) {
  wire::RequestEnded ended;
  *ended.mutable_request() = to_wire(row.request);
  ended.set_life(row.life);
  ended.set_status(to_wire(row.status));
  if (row.status == request_status::cancelled)
    ended.set_cause(wire::CANCELLATION_CAUSE_EXPLICIT);
  else if (row.status == request_status::deadline_exceeded)
    ended.set_cause(wire::CANCELLATION_CAUSE_DEADLINE);
  if (row.why)
    *ended.mutable_failure() = to_wire(*row.why);
  return ended;
}

} // namespace turnstile
