#include "actors/events/event_log.hpp"

#include "actors/agent/agent_events.hpp"
#include "actors/log/log_line.hpp"
#include "messages/event_json.hpp"

namespace turnstile {

namespace {} // namespace

event_log_state::event_log_state(event_log_actor::pointer self,
                                 event_log_options options)
  : self_(self), options_(options),
    wall_(options.unix_origin ? wall_clock{*options.unix_origin}
                              : wall_clock{self->clock()}) {}

event_log_actor::behavior_type event_log_state::make_behavior() {
  return {
    [this](const wire::Event& event) {
      return told(event.run_id(), event_type(event), publish(event));
    },
    [this](const wire::EventsQuery& query) { return read(query); },
    [this](const wire::RunVerdict& verdict) {
      return told(verdict.run_id(), "verdict", remember(verdict));
    },
  };
}

status event_log_state::publish(wire::Event event) {
  const auto run_id = event.run_id();
  if (run_id.empty())
    return fail(errc::invalid_argument, "Event.run_id: it is missing");
  if (auto may = event_stream::validate(event); !may)
    return may;
  auto whose = open(run_id);
  if (!whose)
    return fail(whose.error());
  auto& [stream, verdict, waiting] = **whose;
  if (event.has_run_done() && verdict)
    call_by(*verdict, *event.mutable_run_done());
  const auto number = stream.next();
  if (auto done = stream.append(std::move(event), unix_time()); !done)
    return done;
  for (auto& who : std::exchange(waiting, {}))
    who.settle(stream.read(number, 1));
  if (stream.ended())
    retire(run_id);
  return {};
}

caf::result<wire::EventBatch>
event_log_state::read(const wire::EventsQuery& query) {
  auto whose = find(query.run_id());
  if (!whose)
    return to_error(whose.error());
  auto& waiting = (*whose)->waiting;
  auto batch = (*whose)->stream.read(query.from(), query.max());
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

result<event_log_state::run*> event_log_state::open(const std::string& run_id) {
  if (auto there = find(run_id))
    return there;
  if (runs_.size() - ended_.size() >= options_.max_active_runs)
    return fail(errc::capacity, "max_active_runs "
                                  + std::to_string(options_.max_active_runs)
                                  + " is reached; a run has to end first");
  const event_stream_bounds bounds{options_.max_events_per_run,
                                   options_.max_bytes_per_run};
  auto [place, is_new] =
    runs_.emplace(run_id, run{event_stream{run_id, bounds}, {}, {}});
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
