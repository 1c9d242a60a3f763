#include "actors/scheduler/explaining.hpp"

#include "core/base/duration_text.hpp"

namespace turnstile {

namespace {

wire::HoldCause cause_of(hold_kind kind) {
  switch (kind) {
  case hold_kind::turn:
    return wire::HOLD_CAUSE_TURN;
  case hold_kind::delay:
    return wire::HOLD_CAUSE_BACK_OFF;
  case hold_kind::request_slots:
    return wire::HOLD_CAUSE_REQUEST_SLOTS;
  case hold_kind::branch:
    return wire::HOLD_CAUSE_BRANCH;
  case hold_kind::slots:
    return wire::HOLD_CAUSE_SLOTS;
  case hold_kind::backend:
    return wire::HOLD_CAUSE_EXECUTING;
  case hold_kind::waits:
    return wire::HOLD_CAUSE_PARKED;
  case hold_kind::abandoned:
    return wire::HOLD_CAUSE_STOPPING;
  case hold_kind::other_ranks:
    return wire::HOLD_CAUSE_OTHER_RANKS;
  case hold_kind::sibling:
    return wire::HOLD_CAUSE_SIBLING;
  case hold_kind::not_durable:
    return wire::HOLD_CAUSE_NOT_DURABLE;
  }
  return wire::HOLD_CAUSE_UNSPECIFIED;
}

const char* limit_of(hold_kind kind) {
  switch (kind) {
  case hold_kind::request_slots:
    return "max_in_flight_per_request";
  case hold_kind::slots:
    return "max_in_flight_global";
  default:
    return "";
  }
}

std::string span_text(std::int64_t ns) {
  return duration_text(duration{ns - ns % 1'000'000}); // as people read it
}

void name_holder(wire::Explanation& it, const work_id& id,
                 const flights& submissions, instant now) {
  auto& holder = *it.add_holders();
  *holder.mutable_work_id() = to_wire(id);
  const auto* flight = submissions.find(id);
  if (flight == nullptr)
    return;
  holder.set_backend(flight->backend_name);
  if (flight->place != flight_place::at_gate)
    holder.set_executing_ns((now - flight->started).count());
}

/// What holds a submission back that its gate does not let through.
void hold_at_gate(wire::Explanation& it, const flight& which,
                  const dispatcher& from, instant now) {
  const auto gate = from.look_at_gate(which.backend_name, now);
  it.clear_holders();
  it.set_held_by(gate.passed);
  if (gate.opens_at)
    it.set_remaining_ns((*gate.opens_at - now).count());
  if (gate.rests) {
    it.set_cause(wire::HOLD_CAUSE_BACKEND_RESTS);
  } else if (gate.opens_at) {
    it.set_cause(wire::HOLD_CAUSE_BACKEND_PAUSES);
  } else if (gate.concurrency && gate.passed >= *gate.concurrency) {
    it.set_cause(wire::HOLD_CAUSE_BACKEND_FULL);
    it.set_limit("concurrency");
    it.set_value(*gate.concurrency);
  } else {
    it.set_cause(wire::HOLD_CAUSE_TURN);
  }
  for (const auto& id : from.submissions().through(which.backend_name))
    if (it.holders_size() < static_cast<int>(hold::max_named))
      name_holder(it, id, from.submissions(), now);
}

/// The next of its limits that a submission will meet.
void add_attempt_limits(wire::Explanation& it, const flight& which,
                        instant now) {
  auto meet = [&](const char* name, duration limit, duration used) {
    const auto left = std::max(limit - used, duration::zero()).count();
    if (it.has_remaining_ns() && it.remaining_ns() <= left)
      return;
    it.set_limit(name);
    it.set_value(static_cast<std::uint64_t>(limit.count()));
    it.set_remaining_ns(left);
  };
  if (which.limits.whole)
    meet("attempt_timeout", *which.limits.whole,
         now - which.started - which.waited);
  if (which.limits.idle)
    meet("idle_timeout", *which.limits.idle, now - which.heard);
}

std::string holders_text(const wire::Explanation& it) {
  std::string text;
  for (const auto& holder : it.holders()) {
    text += text.empty() ? "" : ", ";
    if (!holder.label().empty() || !holder.name().empty())
      text += holder.label().empty() ? holder.name() : holder.label();
    else if (auto id = from_wire(holder.work_id()))
      text.append("work ").append(to_string(*id));
  }
  const auto named = static_cast<std::uint64_t>(it.holders_size());
  if (it.held_by() > named && named > 0)
    text.append(" and ")
      .append(std::to_string(it.held_by() - named))
      .append(" more");
  return text;
}

std::string limit_text(const wire::Explanation& it) {
  return it.limit() + ' ' + std::to_string(it.value());
}

std::string backend_text(const wire::Explanation& it) {
  return it.backend().empty() ? "its backend" : "backend " + it.backend();
}

/// What it is that holds it, but for what is ahead of it and behind it.
std::string text_of(const wire::Explanation& it) {
  const auto whose = holders_text(it);
  const auto named = whose.empty() ? whose : ": " + whose;
  const auto left = span_text(it.remaining_ns());
  const auto since = span_text(it.executing_ns());
  switch (it.cause()) {
  case wire::HOLD_CAUSE_ENDED:
    return "it has ended";
  case wire::HOLD_CAUSE_TURN:
    return "nothing holds it; a turn of its scheduler will take it";
  case wire::HOLD_CAUSE_BACK_OFF:
    return "its next attempt comes in " + left;
  case wire::HOLD_CAUSE_REQUEST_SLOTS:
    return "its request has as many in flight as it may (" + limit_text(it)
           + ")" + named;
  case wire::HOLD_CAUSE_BRANCH:
    return "its request's state permits one branch at a time: " + whose
           + " has it";
  case wire::HOLD_CAUSE_SLOTS:
    return "all slots are in use (" + limit_text(it) + ")" + named;
  case wire::HOLD_CAUSE_BACKEND_FULL:
    return backend_text(it) + " runs as many as it may (" + limit_text(it) + ")"
           + named;
  case wire::HOLD_CAUSE_BACKEND_RESTS:
    if (it.has_remaining_ns())
      return backend_text(it) + " keeps failing to start and rests for " + left;
    return backend_text(it)
           + " keeps failing to start; one attempt probes it: " + whose;
  case wire::HOLD_CAUSE_BACKEND_PAUSES:
    return backend_text(it) + " wants no call for " + left;
  case wire::HOLD_CAUSE_EXECUTING:
    return backend_text(it) + " has had it for " + since;
  case wire::HOLD_CAUSE_PARKED:
    return backend_text(it)
           + " has it and waits for something else; it holds no slot";
  case wire::HOLD_CAUSE_STOPPING:
    return "it is to stop, since " + it.detail() + ", and " + backend_text(it)
           + " has not ended it";
  case wire::HOLD_CAUSE_OTHER_RANKS:
    return "it has failed here, and another rank has not ended it yet";
  case wire::HOLD_CAUSE_SIBLING:
    return "it is done, and " + whose + " has to commit first";
  case wire::HOLD_CAUSE_NOT_DURABLE:
    return "it has ended, and its journal has not said that this is durable";
  case wire::HOLD_CAUSE_STORAGE:
    return "it has ended, and its journal can keep nothing now: " + it.detail();
  case wire::HOLD_CAUSE_SUSPENDED:
    return "its scheduler starts nothing any more";
  default:
    return "it is not known";
  }
}

std::string frees_text(const wire::Explanation& it) {
  switch (it.cause()) {
  case wire::HOLD_CAUSE_ENDED:
    return "nothing: it goes on no more";
  case wire::HOLD_CAUSE_TURN:
    return "the next turns";
  case wire::HOLD_CAUSE_BACK_OFF:
  case wire::HOLD_CAUSE_BACKEND_PAUSES:
    return "time";
  case wire::HOLD_CAUSE_REQUEST_SLOTS:
  case wire::HOLD_CAUSE_SLOTS:
  case wire::HOLD_CAUSE_BACKEND_FULL:
    return "the end of one of these, or a greater " + it.limit();
  case wire::HOLD_CAUSE_BACKEND_RESTS:
    return "an attempt that it starts";
  case wire::HOLD_CAUSE_EXECUTING:
    return it.limit().empty() ? "its end"
                              : "its end, or its " + it.limit() + " in "
                                  + span_text(it.remaining_ns());
  case wire::HOLD_CAUSE_BRANCH:
  case wire::HOLD_CAUSE_SIBLING:
    return "the end of that";
  case wire::HOLD_CAUSE_PARKED:
    return "its backend, which says when it goes on";
  case wire::HOLD_CAUSE_STOPPING:
    return "its backend, which ends it";
  case wire::HOLD_CAUSE_OTHER_RANKS:
    return "its end on every rank";
  case wire::HOLD_CAUSE_NOT_DURABLE:
    return "the journal's next commit";
  case wire::HOLD_CAUSE_STORAGE:
    return "space, or a disk that works: it goes on by itself";
  case wire::HOLD_CAUSE_SUSPENDED:
    return "whoever takes its request up again from the journal";
  default:
    return "";
  }
}

} // namespace

void add_hold(wire::Explanation& it, const work_id& whose,
              const hold& from_core, const dispatcher& from,
              const journal_desk& journal,
              const std::optional<std::string>& stops, instant now) {
  it.set_cause(cause_of(from_core.kind));
  it.set_limit(limit_of(from_core.kind));
  it.set_value(from_core.limit);
  it.set_held_by(from_core.held_by);
  it.set_before(from_core.before);
  if (from_core.until)
    it.set_remaining_ns((*from_core.until - now).count());
  for (const auto& id : from_core.holders)
    name_holder(it, id, from.submissions(), now);
  if (it.cause() == wire::HOLD_CAUSE_NOT_DURABLE)
    if (auto may = journal.may_accept(); !may) {
      it.set_cause(wire::HOLD_CAUSE_STORAGE);
      it.set_detail(may.error().detail);
    }
  const auto* flight = from.submissions().find(whose);
  if (flight == nullptr)
    return;
  it.set_backend(flight->backend_name);
  if (!flight->pass && flight->place != flight_place::parked)
    hold_at_gate(it, *flight, from, now);
  if (flight->place == flight_place::at_gate)
    return;
  it.set_executing_ns((now - flight->started).count());
  if (flight->asked_to_stop) {
    it.set_cause(wire::HOLD_CAUSE_STOPPING);
    it.set_detail(flight->timed_out ? "its attempt takes too long"
                                    : stops.value_or("it was suspended"));
  } else if (flight->place == flight_place::executing) {
    add_attempt_limits(it, *flight, now);
  }
}

void put_into_words(wire::Explanation& it) {
  auto text = text_of(it);
  if (it.before() > 0)
    text.append("; ")
      .append(std::to_string(it.before()))
      .append(it.before() >= hold::max_looked_at ? " or more" : "")
      .append(" of its request ")
      .append(it.before() == 1 ? "comes" : "come")
      .append(" before it");
  it.set_text(std::move(text));
  it.set_frees(frees_text(it));
}

} // namespace turnstile
