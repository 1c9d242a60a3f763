#include "actors/events/event_log.hpp"

#include "actors/agent/agent_events.hpp"
#include "actors/log/log_line.hpp"
#include "messages/event_json.hpp"

#include <memory>

namespace turnstile {

event_log_state::event_log_state(event_log_actor::pointer self,
                                 event_log_options options)
  : self_(self), options_(options),
    wall_(options.unix_origin ? wall_clock{*options.unix_origin}
                              : wall_clock{self->clock()}) {
  if (options_.journal)
    mail(self_, watch_atom_v, event_log_actor{self_}).send(options_.journal);
}

event_log_actor::behavior_type event_log_state::make_behavior() {
  return {
    [this](const wire::Event& event) { return take(event); },
    [this](const wire::EventsQuery& query) { return read(query); },
    [this](const wire::RunVerdict& verdict) {
      return told(verdict.run_id(), "verdict", remember(verdict));
    },
    [this](const wire::EventBatch& durable) { hear(durable); },
  };
}

caf::result<void> event_log_state::take(wire::Event event) {
  const auto run_id = event.run_id();
  const auto type = event_type(event);
  auto valid = [&]() -> status {
    if (run_id.empty())
      return fail(errc::invalid_argument, "Event.run_id: it is missing");
    return event_stream::validate(event);
  }();
  if (!valid)
    return told(run_id, type, valid);
  event.set_ts_ns(unix_time());
  event.clear_number(); // it is the journal's or the stream's
  if (auto known = find(run_id);
      event.has_run_done() && known && (*known)->verdict)
    call_by(*(*known)->verdict, *event.mutable_run_done());
  if (!options_.journal)
    return told(run_id, type, publish(std::move(event)));
  wire::AppendFacts facts;
  *facts.add_facts()->mutable_event()->mutable_event() = std::move(event);
  if (!wants_answer(self_)) {
    facts.set_lazy(true);
    anon_mail(std::move(facts)).send(options_.journal);
    return {};
  }
  auto owed = std::make_shared<owed_answer<void>>(self_);
  auto later = owed->later();
  mail(self_, std::move(facts))
    .request(options_.journal, caf::infinite)
    .then([owed](const wire::Durable&) { owed->settle({}); },
          [this, owed](const caf::error& why) {
            owed->settle(fail(to_failure(self_->system(), why)));
          });
  return later;
}

void event_log_state::hear(const wire::EventBatch& durable) {
  for (const auto& event : durable.events())
    if (auto told = publish(event); !told)
      log_event(spdlog::level::warn, "event_not_cached", [&](log_line& line) {
        line("run", event.run_id())("text", told.error().detail);
      });
}

// @pre the event is valid, and dated
status event_log_state::publish(wire::Event event) {
  const auto run_id = event.run_id();
  auto whose = open(run_id, event.number() == 0 ? 1 : event.number());
  if (!whose)
    return fail(whose.error());
  auto& stream = (*whose)->stream;
  const auto number = stream.next();
  const auto when = event.ts_ns();
  if (auto done = stream.append(std::move(event), when); !done)
    return done;
  for (auto& who : std::exchange((*whose)->waiting, {}))
    who.settle(stream.read(number, 1));
  if (stream.ended())
    retire(run_id);
  return {};
}

caf::result<wire::EventBatch>
event_log_state::read(const wire::EventsQuery& query) {
  auto whose = find(query.run_id());
  if (options_.journal
      && (!whose || query.from() < (*whose)->stream.whole_from()))
    return read_journal(query);
  if (!whose)
    return to_error(whose.error());
  return wait(**whose, query);
}

caf::result<wire::EventBatch>
event_log_state::read_journal(const wire::EventsQuery& query) {
  auto owed = std::make_shared<owed_answer<wire::EventBatch>>(self_);
  auto later = owed->later();
  auto again = query;
  again.set_wait(false);
  mail(self_, again)
    .request(options_.journal, caf::infinite)
    .then(
      [this, owed, query](const wire::EventBatch& batch) {
        if (batch.next() <= 1 && batch.events_size() == 0)
          return owed->settle(fail(errc::run_not_found,
                                   "run not initialized: " + query.run_id()));
        if (query.wait() && batch.events_size() == 0 && !batch.ended())
          return wait_for_next(query, batch.next(), std::move(*owed));
        owed->settle(batch);
      },
      [this, owed](const caf::error& why) {
        owed->settle(fail(to_failure(self_->system(), why)));
      });
  return later;
}

// The journal has told what it had: whatever follows comes here.
void event_log_state::wait_for_next(const wire::EventsQuery& query,
                                    std::uint64_t next,
                                    owed_answer<wire::EventBatch> owed) {
  auto whose = open(query.run_id(), next);
  if (!whose)
    return owed.settle(fail(whose.error()));
  if ((*whose)->stream.next() > next)
    return owed.settle((*whose)->stream.read(next, query.max()));
  (*whose)->waiting.push_back(std::move(owed));
}

caf::result<wire::EventBatch>
event_log_state::wait(run& whose, const wire::EventsQuery& query) {
  auto& waiting = whose.waiting;
  auto batch = whose.stream.read(query.from(), query.max());
  if (!batch || !query.wait() || batch->ended() || batch->events_size() > 0)
    return answer(std::move(batch));
  if (waiting.size() >= options_.max_waiting_per_run)
    return to_error(
      {errc::capacity, "max_waiting_per_run "
                         + std::to_string(options_.max_waiting_per_run)
                         + " is reached for run " + query.run_id()
                         + "; ask again after its next event"});
  auto& owed = waiting.emplace_back(self_);
  return owed.later();
}

status event_log_state::remember(const wire::RunVerdict& verdict) {
  auto whose = find(verdict.run_id());
  if (!whose)
    return fail(whose.error());
  if (verdict.status() == wire::RUN_STATUS_UNSPECIFIED)
    return fail(errc::invalid_argument, "RunVerdict.status: it is missing");
  if ((*whose)->stream.ended())
    return fail(errc::state, "run " + verdict.run_id() + " has ended already");
  (*whose)->verdict = verdict;
  return {};
}

result<event_log_state::run*> event_log_state::open(const std::string& run_id,
                                                    std::uint64_t first) {
  if (auto there = find(run_id))
    return there;
  if (runs_.size() - ended_.size() >= options_.max_active_runs)
    return fail(errc::capacity, "max_active_runs "
                                  + std::to_string(options_.max_active_runs)
                                  + " is reached; a run has to end first");
  const event_stream_bounds bounds{options_.max_events_per_run,
                                   options_.max_bytes_per_run};
  auto [place, is_new] =
    runs_.emplace(run_id, run{event_stream{run_id, bounds, first}, {}, {}});
  return &place->second;
}

result<event_log_state::run*> event_log_state::find(const std::string& run_id) {
  if (auto there = runs_.find(run_id); there != runs_.end())
    return &there->second;
  return fail(errc::run_not_found, "run not initialized: " + run_id);
}

void event_log_state::retire(const std::string& run_id) {
  ended_.push_back(run_id);
  while (ended_.size() > options_.max_ended_runs) {
    runs_.erase(ended_.front());
    ended_.pop_front();
  }
}

caf::result<void> event_log_state::told(const std::string& run_id,
                                        const std::string& what,
                                        const status& done) {
  if (done)
    return {};
  log_event(spdlog::level::warn, "event_refused", [&](log_line& line) {
    line("run", run_id)("type", what);
    line("error", to_string(done.error().code))("text", done.error().detail);
  });
  if (wants_answer(self_))
    return to_error(done.error());
  return {};
}

std::int64_t event_log_state::unix_time() const {
  return wall_.unix_ns(now(self_->clock()));
}

} // namespace turnstile
