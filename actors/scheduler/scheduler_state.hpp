#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/door.hpp"
#include "actors/scheduler/ended_works.hpp"
#include "actors/scheduler/flights.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "actors/scheduler/owners.hpp"
#include "core/base/hash.hpp"
#include "core/turn/scheduler.hpp"
#include "messages/translate.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace turnstile {

/// What a scheduler actor is made of.
struct scheduler_options {
  scheduler_settings settings;
  backend_set backends;

  /// Ends of works that nobody has waited for yet and that are kept in case
  /// somebody will.
  std::size_t max_unawaited_ends = 1024;

  /// How works are dated whose client does not say.
  deadline_policy deadlines;
};

/// Hosts the transactional core for one program: turns messages into core
/// calls and outcomes into messages. It decides nothing that core could.
///
/// Whatever may have given a turn something to do arms one: at most one turn
/// message is on its way, and one timer, at the next instant at which time
/// alone matters. A turn is bounded, so that questions are answered between
/// two turns, and those that come through a door overtake what waits.
///
/// A work's end is told exactly once to everybody who waits for it, and a
/// request's only after those of all its works.
template <hosted_program P>
class scheduler_state {
public:
  static constexpr const char* name = "turnstile.scheduler";

  using core_type = scheduler<core_program<P>>;
  using outcome = typename core_type::outcome;
  using work_message = typename P::work_message;

  /// @pre the limits in `options` are valid (`spawn_scheduler` checks)
  scheduler_state(scheduler_actor::pointer self, scheduler_options options)
    : self_(self), core_(std::move(*core_type::create(options.settings))),
      deadlines_(options.deadlines), ended_works_(options.max_unawaited_ends) {
    for (auto& [backend_name, backend] : options.backends.by_name)
      join(backend_name, backend);
    backends_.default_name = options.backends.default_name;
  }

  scheduler_actor::behavior_type make_behavior() {
    return {
      [this](open_atom, const wire::RegisterRequest& message) {
        return answer(open(message));
      },
      [this](const wire::SubmitWork& message) -> caf::result<wire::Accepted> {
        return answer(submit(message));
      },
      [this](const wire::SubmitBatch& message) -> caf::result<wire::Accepted> {
        return answer(submit(message));
      },
      [this](run_atom, const wire::SubmitWork& message) {
        return run(message);
      },
      [this](const wire::AwaitWork& message) { return await(message); },
      [this](const wire::AwaitRequest& message) {
        return await_request(message.request());
      },
      [this](const wire::CancelRequest& message) { return cancel(message); },
      [this](const wire::FinishRequest& message) { return finish(message); },
      [this](const wire::ReleaseRequest& message) {
        return answer(release(message));
      },
      [this](const wire::ForgetRequest& message) {
        return answer(forget(message));
      },
      [this](const wire::StatusQuery& message) {
        return answer(status_of(message));
      },
      [this](const wire::LifecycleQuery& message) {
        return answer(lifecycle_of_work(message));
      },
      [this](const wire::ReportQuery&) { return to_wire(core_.report()); },
      [this](const wire::CapabilitiesQuery&) {
        return to_wire(core_.capabilities());
      },
      [this](join_atom, const std::string& backend_name,
             const backend_actor& backend) {
        join(backend_name, backend);
        follow_up();
      },
      [this](leave_atom, const std::string& backend_name) {
        return answer(leave(backend_name));
      },
      [this](drain_atom) { return drain(); },
      [this](turn_atom) {
        turn_is_coming_ = false;
        run_turn();
      },
      [this](wake_atom, std::uint64_t number) {
        if (number != wake_number_)
          return; // An earlier one was armed since.
        wake_at_.reset();
        run_turn();
      },
    };
  }

private:
  using end_promise = caf::typed_response_promise<wire::RequestEnded>;

  /// What the actor keeps for one request beside the core.
  struct request_desk {
    terms_of_program<P> terms;
    door_actor door;
    caf::actor_addr owner;
    std::vector<end_promise> waiting;
    std::optional<wire::RequestEnded> end; ///< Ended, but not yet quiet.
  };

  // --- requests

  result<door_actor> open(const wire::RegisterRequest& message) {
    auto id = from_wire(message.request(), "RegisterRequest.request");
    if (!id)
      return fail(id.error());
    if (draining_)
      return fail(errc::capacity, "the scheduler is draining; no new requests");
    if (auto may = core_.validate_registration(*id); !may)
      return fail(may.error());
    auto state = P::make_state(message.state());
    if (!state)
      return fail(state.error());
    auto terms = make_terms(message.state());
    if (!terms)
      return fail(terms.error());
    auto owner = self_->current_sender();
    if (message.cancel_when_owner_dies() && !owner)
      return fail(errc::invalid_argument,
                  "an anonymous sender cannot own request " + to_string(*id)
                    + "; open it from an actor or without "
                      "cancel_when_owner_dies");
    if (auto done = core_.register_request(*id, std::move(*state)); !done)
      return fail(done.error());
    request_desk desk{std::move(*terms), {}, {}, {}, {}};
    wire::Registered whose;
    *whose.mutable_request() = to_wire(*id);
    whose.set_life(*core_.life_of(*id));
    desk.door = spawn<door_state>(self_, whose, scheduler_actor{self_});
    if (message.cancel_when_owner_dies()) {
      desk.owner = owner->address();
      owners_.add(self_, caf::actor_cast<caf::actor>(owner), *id,
                  [this](request_id orphan) { cancel_orphan(orphan); });
    }
    auto door = desk.door;
    desks_.insert_or_assign(*id, std::move(desk));
    return door;
  }

  static result<terms_of_program<P>> make_terms(const std::string& bytes) {
    if constexpr (has_terms<P>)
      return P::make_terms(bytes);
    else
      return std::monostate{};
  }

  caf::result<wire::RequestEnded> await_request(const wire::RequestId& whose) {
    auto id = from_wire(whose, "request");
    if (!id)
      return to_error(id.error());
    auto desk = desks_.find(*id);
    if (desk == desks_.end())
      return answer(ended_request(*id));
    auto promise = self_->template make_response_promise<wire::RequestEnded>();
    desk->second.waiting.push_back(promise);
    return promise;
  }

  /// The end of a request that has no desk any more, as far as core knows it.
  result<wire::RequestEnded> ended_request(request_id id) const {
    auto how = core_.status_of(id);
    if (!how)
      return unknown(id);
    wire::RequestEnded ended;
    *ended.mutable_request() = to_wire(id);
    ended.set_life(core_.life_of(id).value_or(0));
    ended.set_status(to_wire(*how));
    return ended;
  }

  caf::result<wire::RequestEnded> cancel(const wire::CancelRequest& message) {
    auto id = from_wire(message.request(), "CancelRequest.request");
    if (!id)
      return to_error(id.error());
    auto done = core_.cancel(*id, time());
    if (!done)
      return to_error(done.error());
    return end_answer(*id, std::move(*done));
  }

  caf::result<wire::RequestEnded> finish(const wire::FinishRequest& message) {
    auto id = from_wire(message.request(), "FinishRequest.request");
    if (!id)
      return to_error(id.error());
    auto done = core_.finish(*id, time());
    if (!done)
      return to_error(done.error());
    return end_answer(*id, std::move(*done));
  }

  /// Promises the end that `done` has brought about, then tells it.
  caf::result<wire::RequestEnded> end_answer(request_id id, outcome done) {
    auto promise = self_->template make_response_promise<wire::RequestEnded>();
    desks_.at(id).waiting.push_back(promise);
    tell(std::move(done));
    follow_up();
    return promise;
  }

  void cancel_orphan(request_id id) {
    if (auto done = core_.cancel(id, time())) {
      spdlog::info("request_orphaned request={}", id.value);
      tell(std::move(*done));
      follow_up();
    }
  }

  result<wire::ReleasedState> release(const wire::ReleaseRequest& message) {
    auto id = from_wire(message.request(), "ReleaseRequest.request");
    if (!id)
      return fail(id.error());
    if constexpr (!encodable_state<typename P::state_type>) {
      return fail(errc::no_codec, "the state of request " + to_string(*id)
                                    + " has no encode(), so it cannot leave "
                                      "the scheduler");
    } else {
      const auto* state = core_.request_state(*id);
      if (state == nullptr)
        return unknown(*id);
      auto bytes =
        guarded(errc::state, "encode", [&] { return state->encode(); });
      if (!bytes)
        return fail(bytes.error());
      const auto was_active = core_.status_of(*id) == request_status::active;
      if (auto taken = core_.release(*id); !taken)
        return fail(taken.error());
      wire::ReleasedState released;
      *released.mutable_request() = message.request();
      released.set_state(std::move(*bytes));
      if (was_active) {
        wire::RequestEnded ended;
        *ended.mutable_request() = message.request();
        ended.set_status(wire::REQUEST_STATUS_FINISHED);
        close(*id, std::move(ended));
      }
      return released;
    }
  }

  result<wire::RequestEnded> forget(const wire::ForgetRequest& message) {
    auto id = from_wire(message.request(), "ForgetRequest.request");
    if (!id)
      return fail(id.error());
    auto ended = ended_request(*id);
    if (auto how = core_.forget(*id); !how)
      return fail(how.error());
    return ended;
  }

  result<wire::StatusAnswer> status_of(const wire::StatusQuery& message) const {
    auto id = from_wire(message.request(), "StatusQuery.request");
    if (!id)
      return fail(id.error());
    wire::StatusAnswer answer;
    *answer.mutable_request() = message.request();
    if (auto how = core_.status_of(*id))
      answer.set_status(to_wire(*how));
    answer.set_life(core_.life_of(*id).value_or(0));
    answer.set_queued_work(core_.queued_for(*id));
    return answer;
  }

  // --- works

  result<wire::Accepted> submit(const wire::SubmitWork& message) {
    auto accepted = accept(message);
    if (!accepted)
      return fail(accepted.error());
    follow_up();
    wire::Accepted answer;
    *answer.add_work_ids() = to_wire(*accepted);
    return answer;
  }

  result<work_id> accept(const wire::SubmitWork& message) {
    auto id = may_submit(message.request());
    if (!id)
      return fail(id.error());
    auto work = read(message.work());
    if (!work)
      return fail(work.error());
    auto& [value, options] = *work;
    if (auto may = admit(*id, value.message); !may)
      return fail(may.error());
    auto accepted = core_.enqueue(*id, std::move(value), options);
    if (accepted)
      note_admitted(*id, *accepted);
    return accepted;
  }

  result<wire::Accepted> submit(const wire::SubmitBatch& message) {
    auto id = may_submit(message.request());
    if (!id)
      return fail(id.error());
    std::vector<hosted_work<P>> works;
    std::optional<work_options> options;
    std::string deadline; // what all of them must say
    for (const auto& one : message.works()) {
      auto work = read(one);
      if (!work)
        return fail(work.error());
      if (!options)
        deadline = one.deadline().SerializeAsString();
      else if (one.deadline().SerializeAsString() != deadline)
        return fail(errc::invalid_argument,
                    "the works of a batch must have the same deadline; submit "
                    "them one by one");
      options = work->second;
      works.push_back(std::move(work->first));
    }
    if (auto may = admit_all(*id, works); !may)
      return fail(may.error());
    auto accepted = core_.enqueue_batch(*id, std::move(works),
                                        options.value_or(work_options{}));
    if (!accepted)
      return fail(accepted.error());
    wire::Accepted answer;
    for (const auto& work : *accepted) {
      note_admitted(*id, work);
      *answer.add_work_ids() = to_wire(work);
    }
    follow_up();
    return answer;
  }

  caf::result<wire::WorkEnded> run(const wire::SubmitWork& message) {
    auto accepted = accept(message);
    if (!accepted)
      return to_error(accepted.error());
    auto promise = self_->template make_response_promise<wire::WorkEnded>();
    ended_works_.await(*accepted, promise);
    follow_up();
    return promise;
  }

  caf::result<wire::WorkEnded> await(const wire::AwaitWork& message) {
    auto id = from_wire(message.work_id(), "AwaitWork.work_id");
    if (!id)
      return to_error(id.error());
    if (core_.find_work(*id) != nullptr) {
      auto promise = self_->template make_response_promise<wire::WorkEnded>();
      ended_works_.await(*id, promise);
      return promise;
    }
    if (auto kept = ended_works_.take(*id))
      return std::move(*kept);
    auto lifecycle = core_.lifecycle(*id);
    if (!lifecycle)
      return to_error(
        {errc::unknown_work, "no work " + to_string(*id) + " is remembered"});
    wire::WorkEnded ended;
    *ended.mutable_work_id() = message.work_id();
    ended.set_lifecycle(to_wire(*lifecycle));
    return ended;
  }

  result<wire::LifecycleAnswer>
  lifecycle_of_work(const wire::LifecycleQuery& message) const {
    auto id = from_wire(message.work_id(), "LifecycleQuery.work_id");
    if (!id)
      return fail(id.error());
    wire::LifecycleAnswer answer;
    *answer.mutable_work_id() = message.work_id();
    if (auto lifecycle = core_.lifecycle(*id))
      answer.set_lifecycle(to_wire(*lifecycle));
    return answer;
  }

  result<request_id> may_submit(const wire::RequestId& whose) const {
    auto id = from_wire(whose, "request");
    if (!id)
      return fail(id.error());
    if (draining_)
      return fail(errc::capacity, "the scheduler is draining; no new works");
    if (!desks_.contains(*id))
      return unknown(*id);
    return id;
  }

  result<std::pair<hosted_work<P>, work_options>>
  read(const wire::Work& one) const {
    hosted_work<P> work;
    if (!work.message.ParseFromString(one.payload()))
      return fail(errc::invalid_argument,
                  "Work.payload is no " + work.message.GetTypeName());
    if constexpr (routes_works<P>) {
      const std::string wanted = P::backend_of(work.message);
      if (!wanted.empty() && !backends_.by_name.contains(wanted))
        return fail(errc::unknown_backend, "unknown backend: " + wanted);
    }
    auto options =
      from_wire(one.deadline(), time(), deadlines_, "Work.deadline");
    if (!options)
      return fail(options.error());
    return std::pair{std::move(work), *options};
  }

  status admit(request_id id, const work_message& work) {
    if constexpr (admits_works<P>)
      return P::admit(desks_.at(id).terms, work);
    else
      return static_cast<void>(id), static_cast<void>(work), status{};
  }

  /// As if the works were accepted one after the other, but changes nothing.
  status admit_all(request_id id, const std::vector<hosted_work<P>>& works) {
    if constexpr (admits_works<P>) {
      auto trial = desks_.at(id).terms;
      for (const auto& work : works) {
        if (auto may = P::admit(trial, work.message); !may)
          return may;
        P::admitted(trial, work.message);
      }
    }
    return static_cast<void>(id), static_cast<void>(works), status{};
  }

  void note_admitted(request_id id, const work_id& accepted) {
    if constexpr (admits_works<P>)
      P::admitted(desks_.at(id).terms, core_.find_work(accepted)->message);
    static_cast<void>(id), static_cast<void>(accepted);
  }

  // --- turns

  void run_turn() {
    const auto now = time();
    for (const auto& id : flights_.take_timed_out(now))
      ask_to_stop(id);
    auto done = core_.run_local_turn(
      now, [this](const submission& what, const hosted_work<P>& work,
                  typename P::state_type::branch_type&) {
        return execute(what, work.message);
      });
    // A poisoned scheduler is drained without turns.
    tell(done ? std::move(*done) : core_.poll_completions(now));
    follow_up();
  }

  /// Arms whatever comes next: a turn, or a timer.
  void follow_up() {
    answer_drain();
    const auto now = time();
    auto next = core_.next_wake(now);
    if (auto timeout = flights_.next_timeout();
        timeout && (!next || *timeout < *next))
      next = timeout;
    if (!next)
      return;
    if (*next <= now) {
      if (!std::exchange(turn_is_coming_, true))
        mail(self_, turn_atom_v).send(scheduler_actor{self_});
      return;
    }
    if (wake_at_ && *wake_at_ <= *next)
      return;
    wake_at_ = next;
    mail(self_, wake_atom_v, ++wake_number_)
      .delay(caf::timespan{*next - now})
      .send(scheduler_actor{self_});
  }

  // --- backends

  void join(const std::string& backend_name, const backend_actor& backend) {
    backends_.add(backend_name, backend);
    auto& watch = watches_[backend_name];
    watch.dispose();
    watch = monitor(self_, backend,
                    [this, backend_name, backend](const caf::error& why) {
                      lose(backend_name, backend, why);
                    });
  }

  status leave(const std::string& backend_name) {
    if (backends_.by_name.erase(backend_name) == 0)
      return fail(errc::unknown_backend, "unknown backend: " + backend_name);
    return {};
  }

  void lose(const std::string& backend_name, const backend_actor& backend,
            const caf::error& why) {
    const auto reason = render(self_->system(), why);
    spdlog::warn("backend_lost backend={} reason=\"{}\"", backend_name, reason);
    if (auto found = backends_.by_name.find(backend_name);
        found != backends_.by_name.end() && found->second == backend)
      backends_.by_name.erase(found);
    for (const auto& [id, number] : flights_.at(backend))
      completed(id, number,
                fail(errc::backend_lost,
                     "backend " + backend_name + " is gone: " + reason));
  }

  result<hosted_output> execute(const submission& what,
                                const work_message& work) {
    std::string wanted;
    if constexpr (routes_works<P>)
      wanted = P::backend_of(work);
    if (wanted.empty())
      wanted = backends_.default_name;
    const auto now = time();
    flight begun{{}, wanted, what.number, now, {}, false, false};
    auto found = backends_.by_name.find(wanted);
    if (found == backends_.by_name.end()) {
      flights_.begin(what.id, std::move(begun));
      deferred_.push_back(
        {what.id, what.number,
         wanted.empty()
           ? failure{errc::no_backend, "no backend registered"}
           : failure{errc::unknown_backend, "unknown backend: " + wanted}});
      return hosted_output{wanted, false};
    }
    begun.backend = found->second;
    if constexpr (times_attempts<P>)
      if (auto bound = P::attempt_timeout(work))
        begun.times_out_at = now + *bound;
    flights_.begin(what.id, std::move(begun));
    wire::Execute order;
    *order.mutable_work_id() = to_wire(what.id);
    order.set_submission(what.number);
    work.SerializeToString(order.mutable_payload());
    if (what.deadline != instant::max())
      order.set_remaining_ns((what.deadline - now).count());
    mail(self_, std::move(order))
      .request(found->second, caf::infinite)
      .then([this, id = what.id, number = what.number](
              const wire::Completed& answer) { completed(id, number, answer); },
            [this, id = what.id, number = what.number](const caf::error& why) {
              completed(id, number, fail(to_failure(self_->system(), why)));
            });
    return hosted_output{wanted, true};
  }

  void ask_to_stop(const work_id& id) {
    auto* found = flights_.find(id);
    if (found == nullptr || found->asked_to_stop || !found->backend)
      return;
    found->asked_to_stop = true;
    wire::CancelWork order;
    *order.mutable_work_id() = to_wire(id);
    order.set_submission(found->submission);
    // Not urgent: it must not overtake the execution that it stops, which would
    // then run for ever. Its end comes as the answer to the execution, or by
    // the monitor.
    mail(self_, std::move(order))
      .request(found->backend, caf::infinite)
      .then([](const wire::Quiet&) {}, [](const caf::error&) {});
  }

  void completed(const work_id& id, std::uint32_t number,
                 const wire::Completed& answer) {
    typename P::outcome_message outcome;
    if (answer.has_failure()) {
      auto why = from_wire(answer.failure(), "Completed.failure");
      completed(id, number, fail(why ? std::move(*why) : why.error()));
    } else if (!outcome.ParseFromString(answer.outcome())) {
      completed(id, number,
                fail(errc::completion,
                     "the backend's outcome is no " + outcome.GetTypeName()));
    } else {
      completed(id, number, std::move(outcome));
    }
  }

  /// One submission is over: the work is tried again, or has completed.
  void completed(const work_id& id, std::uint32_t number,
                 result<typename P::outcome_message> how) {
    auto ended = flights_.end(id, number);
    if (!ended)
      return; // Told before, by the monitor.
    auto next = judge(id, *ended, std::move(how));
    if (auto* again = std::get_if<try_again>(&next)) {
      const auto now = time();
      if (auto done = core_.requeue(id, now + again->delay, now))
        tell(std::move(*done));
    } else {
      core_.observe(id, std::move(std::get<1>(next)), number);
    }
    follow_up();
  }

  next_of_attempt<P> judge(const work_id& id, flight& ended,
                           result<typename P::outcome_message> how) {
    attempt_end<P> end{std::move(how),   ended.timed_out, ended.backend_name,
                       ended.submission, ended.started,   time()};
    // What can no longer publish is not tried again.
    const auto abandoned = core_.lifecycle(id) != work_lifecycle::submitted;
    if constexpr (judges_attempts<P>) {
      if (!abandoned) {
        auto* work = core_.find_work(id);
        return P::after_attempt(desks_.at(id.request).terms, work->message,
                                work->attempts, std::move(end));
      }
    }
    if (abandoned)
      return result<result_of_program<P>>{
        fail(errc::cancelled, "its result is not wanted any more")};
    if (end.timed_out)
      return result<result_of_program<P>>{
        fail(errc::completion, "the attempt took too long")};
    if constexpr (std::same_as<result_of_program<P>,
                               typename P::outcome_message>)
      return std::move(end.how);
    else
      return result<result_of_program<P>>{
        fail(errc::completion, "the program does not judge its attempts")};
  }

  // --- telling

  void tell(outcome done) {
    for (auto& late : std::exchange(deferred_, {}))
      completed(late.id, late.number, fail(std::move(late.why)));
    for (const auto& row : done.abandoned)
      ask_to_stop(row.id);
    for (const auto& row : done.overdue)
      spdlog::warn("work_overdue work={} age_ms={}", to_string(row.id),
                   row.age.count() / 1'000'000);
    for (auto& row : done.committed) {
      auto ended = ending(row.id, work_lifecycle::committed);
      if (row.outcome)
        row.outcome->SerializeToString(ended.mutable_outcome());
      ended.set_late(row.late);
      ended_works_.tell(row.id, std::move(ended));
    }
    for (auto& row : done.failed) {
      auto ended = ending(row.id, work_lifecycle::failed);
      *ended.mutable_failure() = to_wire(row.why);
      row.work.message.SerializeToString(ended.mutable_payload());
      ended_works_.tell(row.id, std::move(ended));
    }
    for (auto& row : done.dropped) {
      auto ended = ending(row.id, row.lifecycle);
      ended.set_drop_reason(to_wire(row.reason));
      row.work.message.SerializeToString(ended.mutable_payload());
      if (row.reason == drop_reason::reclaimed)
        flights_.end(row.id, 0);
      ended_works_.tell(row.id, std::move(ended));
    }
    for (const auto& row : done.ended)
      note_end(row);
    if (done.poisoned)
      spdlog::error("scheduler_poisoned reason=\"{}\"", done.poisoned->detail);
    tell_quiet_requests(done);
    core_.recycle(std::move(done));
  }

  static wire::WorkEnded ending(const work_id& id, work_lifecycle how) {
    wire::WorkEnded ended;
    *ended.mutable_work_id() = to_wire(id);
    ended.set_lifecycle(to_wire(how));
    return ended;
  }

  void note_end(const typename outcome::ended_row& row) {
    auto desk = desks_.find(row.request);
    if (desk == desks_.end())
      return;
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
    if constexpr (encodable_state<typename P::state_type>)
      if (const auto* state = core_.request_state(row.request))
        if (auto bytes =
              guarded(errc::state, "encode", [&] { return state->encode(); }))
          ended.set_state(std::move(*bytes));
    desk->second.end = std::move(ended);
  }

  /// A request's end is told once nothing of it runs any more.
  void tell_quiet_requests(const outcome& done) {
    for (const auto& row : done.ended)
      tell_if_quiet(row.request);
    for (const auto& row : done.dropped)
      tell_if_quiet(row.id.request);
    for (const auto& row : done.failed)
      tell_if_quiet(row.id.request);
  }

  void tell_if_quiet(request_id id) {
    auto desk = desks_.find(id);
    if (desk == desks_.end() || !desk->second.end
        || core_.in_progress_for(id) > 0)
      return;
    auto ended = std::move(*desk->second.end);
    close(id, std::move(ended));
  }

  void close(request_id id, wire::RequestEnded ended) {
    auto desk = desks_.extract(id);
    if (!desk)
      return;
    owners_.remove(desk.mapped().owner, id);
    for (auto& promise : desk.mapped().waiting)
      promise.deliver(ended);
    mail(self_, ended_atom_v, std::move(ended)).send(desk.mapped().door);
  }

  // --- draining

  caf::result<void> drain() {
    draining_ = true;
    auto promise = self_->template make_response_promise<void>();
    drains_.push_back(promise);
    answer_drain();
    return promise;
  }

  void answer_drain() {
    if (drains_.empty() || core_.in_progress() > 0)
      return;
    for (auto& promise : std::exchange(drains_, {}))
      deliver(promise, result<void>{});
  }

  static auto unknown(request_id id) {
    return fail(errc::unknown_request,
                "request " + to_string(id) + " is not active");
  }

  [[nodiscard]] instant time() const { return now(self_->clock()); }

  /// A completion that is known while a turn is still under way.
  struct deferred_end {
    work_id id;
    std::uint32_t number = 1;
    failure why;
  };

  scheduler_actor::pointer self_;
  core_type core_;
  deadline_policy deadlines_;
  backend_set backends_;
  std::unordered_map<std::string, watch> watches_;
  flights flights_;
  ended_works ended_works_;
  owners owners_;
  std::unordered_map<request_id, request_desk, id_hash> desks_;
  std::vector<deferred_end> deferred_;
  std::vector<caf::typed_response_promise<void>> drains_;
  bool draining_ = false;
  bool turn_is_coming_ = false;
  std::optional<instant> wake_at_;
  std::uint64_t wake_number_ = 0;
};

/// Spawns a scheduler for programs of type `P`, or says which limit is zero.
/// `Parent` is an actor system, an actor's own pointer or a scoped actor.
template <hosted_program P, class Parent>
result<scheduler_actor> spawn_scheduler(Parent&& parent,
                                        scheduler_options options) {
  if (auto valid = validate(options.settings.limits); !valid)
    return fail(valid.error());
  return scheduler_actor{spawn<scheduler_state<P>>(parent, std::move(options))};
}

} // namespace turnstile
