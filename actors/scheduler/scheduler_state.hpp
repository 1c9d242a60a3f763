#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/dispatcher.hpp"
#include "actors/scheduler/door.hpp"
#include "actors/scheduler/ended_works.hpp"
#include "actors/scheduler/ending_messages.hpp"
#include "actors/scheduler/explaining.hpp"
#include "actors/scheduler/heed.hpp"
#include "actors/scheduler/hosted_program.hpp"
#include "actors/scheduler/intake.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "actors/scheduler/judge.hpp"
#include "actors/scheduler/recorder.hpp"
#include "actors/scheduler/request_desks.hpp"
#include "actors/scheduler/restoring.hpp"
#include "actors/scheduler/scheduler_options.hpp"
#include "actors/scheduler/turn_alarm.hpp"
#include "core/turn/scheduler.hpp"
#include "messages/translate.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace turnstile {

/// Hosts the transactional core for one program: turns messages into core
/// calls and outcomes into messages. It decides nothing that core could.
///
/// Whatever may have given a turn something to do arms one. A turn is bounded,
/// so that questions are answered between two turns, and those that come
/// through a door overtake what waits.
///
/// A work's end is told exactly once to everybody who waits for it, and a
/// request's only after those of all its works. Whoever still waits when the
/// scheduler itself ends hears `backend_lost`.
template <hosted_program P>
class scheduler_state {
public:
  static constexpr const char* name = "turnstile.scheduler";

  using core_type = scheduler<core_program<P>>;
  using outcome = typename core_type::outcome;

  /// @pre the limits in `options` are valid (`spawn_scheduler` checks)
  scheduler_state(scheduler_actor::pointer self, scheduler_options options,
                  P program)
    : self_(self), program_(std::move(program)),
      core_(std::move(*core_type::create(with_gate(options)))), alarm_(self),
      desks_(self, [this](request_id id) { cancel_orphan(id); }),
      dispatcher_(
        self,
        [this](const work_id& id, flight ended, dispatcher::ending how) {
          completed(id, std::move(ended), std::move(how));
        },
        [this](const work_id& id, std::uint32_t submission) {
          core_.observe(id, fail(errc::completion, "stale"), submission);
        }),
      intake_(program_, dispatcher_.backends(), options.deadlines),
      journal_(
        self, options.journal,
        [this](std::uint64_t position) {
          tell(core_.durable(position, time()));
          follow_up();
        },
        [this](const failure& why) { lose_journal(why); }),
      recorder_(program_, core_, intake_, journal_),
      ended_works_(options.max_unawaited_ends) {
    dispatcher_.take(options.backends);
  }

  scheduler_actor::behavior_type make_behavior() {
    return {
      [this](open_atom, const wire::RegisterRequest& message) {
        return open(message);
      },
      [this](open_atom, const wire::ResumeRequest& message) {
        return reopen(message);
      },
      [this](const wire::SubmitWork& message) {
        return submit(message.request(), std::span{&message.work(), 1});
      },
      [this](const wire::SubmitBatch& message) {
        return submit(message.request(), message.works());
      },
      [this](run_atom, const wire::SubmitWork& message) {
        return run(message);
      },
      [this](const wire::AwaitWork& message) { return await(message); },
      [this](const wire::WithdrawWork& message) { return withdraw(message); },
      [this](const wire::AwaitRequest& message) {
        return await_request(message);
      },
      [this](const wire::CancelRequest& message) {
        auto id = from_wire(message.request(), "CancelRequest.request");
        return end_by(
          id, [this](request_id which) { return core_.cancel(which, time()); });
      },
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
      [this](const wire::ExplainQuery& message) {
        return answer(explain(message));
      },
      [this](const wire::ReportQuery&) { return to_wire(core_.report()); },
      [this](const wire::CapabilitiesQuery&) {
        return to_wire(core_.capabilities());
      },
      [this](const wire::Progress& message) { hear(message); },
      [this](const wire::ParkWork& message) { return answer(park(message)); },
      [this](const wire::UnparkWork& message) { return unpark(message); },
      [this](join_atom, const wire::BackendTerms& terms,
             const backend_actor& backend) {
        return answer(join(terms, backend));
      },
      [this](join_atom, const std::string& backend_name,
             const backend_actor& backend) {
        dispatcher_.join(backend_name, backend, {});
        follow_up();
      },
      [this](const wire::SetDefaultBackend& message) {
        return answer(dispatcher_.backends().set_default(message.name()));
      },
      [this](const wire::ObservedBackend& who) {
        dispatcher_.backends().observe(who);
      },
      [this](const wire::BackendsQuery&) { return dispatcher_.look(time()); },
      [this](leave_atom, const std::string& backend_name) {
        auto left = dispatcher_.leave(backend_name);
        follow_up();
        return answer(std::move(left));
      },
      [this](drain_atom) { return drain(); },
      [this](suspend_atom) { return suspend(); },
      [this](const wire::StorageState& state) {
        journal_.note(state);
        follow_up();
      },
      [this](const wire::JournalCommand& command) { return obey(command); },
      [this](turn_atom) {
        alarm_.turn_came();
        run_turn();
      },
      [this](wake_atom, std::uint64_t number) {
        if (alarm_.rang(number))
          run_turn();
      },
    };
  }

private:
  /// How a work ends that is not submitted although its turn has come.
  struct decision {
    work_id id;
    std::uint32_t submission = 1;
    result_of_program<P> result;
  };

  static scheduler_settings with_gate(const scheduler_options& options) {
    auto settings = options.settings;
    settings.hold_until_durable = static_cast<bool>(options.journal.journal);
    settings.first_life = options.journal.first_life;
    return settings;
  }

  // --- requests

  caf::result<door_actor> open(const wire::RegisterRequest& message) {
    auto id = from_wire(message.request(), "RegisterRequest.request");
    if (!id)
      return to_error(id.error());
    auto registered = register_request(*id, message);
    if (!registered)
      return to_error(registered.error());
    recorder_.opened(*id, *core_.life_of(*id), message.state(), time());
    return open_door(*id, message.cancel_when_owner_dies());
  }

  status register_request(request_id id, const wire::RegisterRequest& message) {
    if (auto may = may_open(id, message.cancel_when_owner_dies()); !may)
      return may;
    if (auto may = core_.validate_registration(id); !may)
      return may;
    auto state = intake_.read_state(message.state());
    if (!state)
      return fail(state.error());
    auto terms = intake_.read_terms(message.state(), time());
    if (!terms)
      return fail(terms.error());
    if (auto done = core_.register_request(id, std::move(*state)); !done)
      return done;
    intake_.open(id, std::move(*terms));
    if constexpr (hears_requests<P>)
      heed("request_opened",
           [&] { program_.request_opened(intake_.terms(id)); });
    return {};
  }

  [[nodiscard]] status may_open(request_id id, bool owned) const {
    if (draining_)
      return fail(errc::capacity, "the scheduler is draining; no new requests");
    if (auto may = journal_.may_accept(); !may)
      return may;
    if (owned && !self_->current_sender())
      return fail(errc::invalid_argument,
                  "an anonymous sender cannot own request " + to_string(id)
                    + "; open it from an actor or without "
                      "cancel_when_owner_dies");
    return {};
  }

  /// Opens the door of a request that core has, and tells the sender once the
  /// request is durable.
  caf::result<door_actor> open_door(request_id id, bool owned) {
    auto door = seat(id, owner_if(owned));
    return once_durable(std::move(door));
  }

  /// Answers this to the sender once all that happened so far is durable.
  template <class Answer>
  caf::result<Answer> once_durable(Answer answer) {
    if (!journal_.is_there()) {
      follow_up();
      return answer;
    }
    auto owed = std::make_shared<owed_answer<Answer>>(self_);
    auto later = owed->later();
    journal_.when_durable(
      [owed, answer = std::move(answer)] { owed->settle(answer); });
    follow_up();
    return later;
  }

  /// The sender, or no actor.
  caf::actor owner_if(bool owned) const {
    return owned ? caf::actor_cast<caf::actor>(self_->current_sender())
                 : caf::actor{};
  }

  door_actor seat(request_id id, const caf::actor& owner) {
    wire::Registered whose;
    *whose.mutable_request() = to_wire(id);
    whose.set_life(*core_.life_of(id));
    auto door = spawn<door_state>(self_, whose, scheduler_actor{self_});
    desks_.open(id, door, owner);
    return door;
  }

  // --- what other processes want

  caf::result<wire::CommandAnswer> obey(const wire::JournalCommand& command) {
    auto id = recorder_.find(command.run());
    if (!id)
      return to_error(
        {errc::unknown_request, "no request here is called " + command.run()});
    if (command.verb() == "explain")
      return answer(explain_to_others(*id, command.task()));
    if (command.verb() != "cancel")
      return to_error({errc::invalid_argument,
                       "this version knows no command " + command.verb()});
    if (command.task().empty()) {
      wire::CancelRequest order;
      *order.mutable_request() = to_wire(*id);
      return done_by<wire::RequestEnded>(order);
    }
    wire::WithdrawWork order;
    *order.mutable_work_id()->mutable_request() = to_wire(*id);
    order.set_name(command.task());
    return done_by<wire::WorkEnded>(order);
  }

  result<wire::CommandAnswer> explain_to_others(request_id id,
                                                const std::string& work) {
    wire::ExplainQuery query;
    *query.mutable_work_id()->mutable_request() = to_wire(id);
    query.set_name(work);
    auto known = explain(query);
    if (!known)
      return fail(known.error());
    wire::CommandAnswer answer;
    *answer.mutable_explanation() = std::move(*known);
    return answer;
  }

  /// Does what any client could have asked for, and says when that is done.
  template <class Answer, class Order>
  caf::result<wire::CommandAnswer> done_by(const Order& order) {
    auto owed = std::make_shared<owed_answer<wire::CommandAnswer>>(self_);
    auto later = owed->later();
    mail(self_, order)
      .request(scheduler_actor{self_}, caf::infinite)
      .then([owed](const Answer&) { owed->settle({}); },
            [this, owed](const caf::error& why) {
              owed->settle(fail(to_failure(self_->system(), why)));
            });
    return later;
  }

  // --- taking requests up again

  caf::result<door_actor> reopen(const wire::ResumeRequest& message) {
    auto id = from_wire(message.request(), "ResumeRequest.request");
    if (!id)
      return to_error(id.error());
    const auto owned = message.cancel_when_owner_dies();
    if (auto may = may_open(*id, owned); !may)
      return to_error(may.error());
    if (!journal_.is_there())
      return to_error({errc::invalid_argument,
                       "this scheduler has no journal to take request "
                         + to_string(*id) + " from"});
    if (core_.status_of(*id) == request_status::active)
      return to_error({errc::duplicate_request,
                       "request " + to_string(*id) + " is active here"});
    auto reading = std::make_shared<reopening>(
      reopening{*id,
                message.cancel_at_once(),
                owner_if(owned),
                owed_answer<door_actor>{self_},
                {program_, intake_, journal_.wall()}});
    auto later = reading->owed.later();
    read_on(std::move(reading), 0);
    return later;
  }

  /// A request on its way back from the journal.
  struct reopening {
    request_id id;
    bool cancels = false;
    caf::actor owner;
    owed_answer<door_actor> owed;
    restoring<P> from;
    bool failed = false;
  };

  void read_on(std::shared_ptr<reopening> reading, std::uint64_t from) {
    wire::HistoryQuery query;
    query.set_scheduler(journal_.link().scheduler);
    *query.mutable_request() = to_wire(reading->id);
    query.set_from(from);
    mail(self_, query)
      .request(journal_.link().journal, caf::infinite)
      .then(
        [this, reading](wire::History& page) {
          if (reading->failed)
            return;
          const auto more = page.more();
          if (more) // read while this page is taken
            read_on(reading, page.next());
          if (auto taken = reading->from.take(std::move(page), time());
              !taken) {
            reading->failed = true;
            reading->owed.settle(fail(taken.error()));
          } else if (!more) {
            reopened(*reading);
          }
        },
        [this, reading](const caf::error& why) {
          if (!std::exchange(reading->failed, true))
            reading->owed.settle(fail(to_failure(self_->system(), why)));
        });
  }

  void reopened(reopening& reading) {
    auto live = reading.from.finish(core_);
    if (!live)
      return reading.owed.settle(fail(live.error()));
    recorder_.resumed(reading.id, reading.from.opened().name(), live->size());
    for (const auto& id : reading.from.lost()) // they count from now on
      recorder_.waits(id, core_.submissions_of(id), *core_.find_work(id),
                      time());
    reading.owed.settle(seat(reading.id, reading.owner));
    if (reading.cancels)
      if (auto done = core_.cancel(reading.id, time()))
        tell(std::move(*done));
    spdlog::info("request_resumed request={} works={}", to_string(reading.id),
                 live->size());
    recorder_.news();
    follow_up();
  }

  caf::result<wire::RequestEnded>
  await_request(const wire::AwaitRequest& message) {
    auto id = from_wire(message.request(), "AwaitRequest.request");
    if (!id)
      return to_error(id.error());
    if (!desks_.has(*id))
      return answer(ended_request(*id));
    return owe_end(*id);
  }

  /// Owes the sender the end of a request that has a desk.
  caf::result<wire::RequestEnded> owe_end(request_id id) {
    owed_answer<wire::RequestEnded> owed{self_};
    auto later = owed.later();
    desks_.await(id, std::move(owed));
    return later;
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

  caf::result<wire::RequestEnded> finish(const wire::FinishRequest& message) {
    auto id = from_wire(message.request(), "FinishRequest.request");
    if (!id)
      return to_error(id.error());
    if (message.has_verdict() && desks_.has(*id))
      if (auto heard = judge_request(*id, message.verdict()); !heard)
        return to_error(heard.error());
    return end_by(
      id, [this](request_id which) { return core_.finish(which, time()); });
  }

  status judge_request(request_id id, const std::string& verdict) {
    if constexpr (hears_verdicts<P>)
      return caught(errc::invalid_argument, "judged", [&] {
        return program_.judged(intake_.terms(id), verdict);
      });
    else
      return static_cast<void>(verdict),
             fail(errc::invalid_argument,
                  "FinishRequest.verdict: the program of request "
                    + to_string(id) + " knows none");
  }

  /// Ends a request by a verb of core's and owes the sender its end.
  template <class Verb>
  caf::result<wire::RequestEnded> end_by(const result<request_id>& id,
                                         Verb verb) {
    if (!id)
      return to_error(id.error());
    auto done = verb(*id);
    if (!done)
      return to_error(done.error());
    auto later = owe_end(*id);
    tell(std::move(*done));
    follow_up();
    return later;
  }

  void cancel_orphan(request_id id) {
    if (auto done = core_.cancel(id, time())) {
      spdlog::info("request_orphaned request={}", to_string(id));
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
      if (core_.request_state(*id) == nullptr)
        return unknown(*id);
      auto bytes = encoded_state(*id);
      if (!bytes)
        return fail(bytes.error());
      if constexpr (completes_states<P>)
        if (core_.status_of(*id) == request_status::active)
          heed("complete_state",
               [&] { program_.complete_state(intake_.terms(*id), *bytes); });
      auto ended = ended_request(*id);
      if (auto taken = core_.release(*id); !taken)
        return fail(taken.error());
      wire::ReleasedState released;
      *released.mutable_request() = message.request();
      released.set_state(std::move(*bytes));
      if (ended->status() == wire::REQUEST_STATUS_ACTIVE) {
        ended->set_status(wire::REQUEST_STATUS_FINISHED);
        desks_.note(*id, std::move(*ended));
        close(*id);
      }
      return released;
    }
  }

  /// @pre core has the state
  result<std::string> encoded_state(request_id id) const {
    return guarded(errc::state, "encode",
                   [&] { return core_.request_state(id)->encode(); });
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

  /// Accepts works, all or none.
  template <class Works>
  result<std::vector<work_id>> accept(const wire::RequestId& whose,
                                      const Works& works) {
    auto id = from_wire(whose, "request");
    if (!id)
      return fail(id.error());
    if (core_.status_of(*id) != request_status::active)
      return unknown(*id);
    auto accepted = accept_for(*id, works);
    if constexpr (hears_refusals<P>)
      if (!accepted) {
        heed("refused", [&] { tell_refused(*id, works, accepted.error()); });
        recorder_.news();
        journal_.flush();
      }
    return accepted;
  }

  template <class Works>
  void tell_refused(request_id id, const Works& works, const failure& why) {
    for (const wire::Work& one : works) {
      typename P::work_message work;
      if (work.ParseFromString(one.payload()))
        program_.refused(intake_.terms(id), work, why);
    }
  }

  /// @pre the request is active
  template <class Works>
  result<std::vector<work_id>> accept_for(request_id id, const Works& works) {
    if (draining_)
      return fail(errc::capacity, "the scheduler is draining; no new works");
    if (auto may = journal_.may_accept(); !may)
      return fail(may.error());
    auto order = intake_.read(works, time());
    if (!order)
      return fail(order.error());
    if (auto may = intake_.admit(id, *order, time()); !may)
      return fail(may.error());
    auto accepted =
      core_.enqueue_batch(id, std::move(order->works), order->options);
    if (!accepted)
      intake_.take_back(id, order->works); // which are left to us
    else
      note_accepted(*accepted, works, order->options);
    return accepted;
  }

  template <class Works>
  void note_accepted(const std::vector<work_id>& ids, const Works& as_given,
                     const std::vector<work_options>& options) {
    std::size_t i = 0;
    for (const wire::Work& one : as_given) {
      auto& work = *core_.find_work(ids[i]);
      intake_.note_accepted(ids[i], work);
      recorder_.accepted(ids[i], work, one, options[i], time());
      ++i;
    }
  }

  template <class Works>
  caf::result<wire::Accepted> submit(const wire::RequestId& whose,
                                     const Works& works) {
    auto accepted = accept(whose, works);
    if (!accepted)
      return to_error(accepted.error());
    wire::Accepted message;
    for (const auto& id : *accepted)
      *message.add_work_ids() = to_wire(id);
    return once_durable(std::move(message));
  }

  caf::result<wire::WorkEnded> run(const wire::SubmitWork& message) {
    auto accepted = accept(message.request(), std::span{&message.work(), 1});
    if (!accepted)
      return to_error(accepted.error());
    auto later = owe_end(accepted->front());
    follow_up();
    return later;
  }

  caf::result<wire::WorkEnded> await(const wire::AwaitWork& message) {
    auto id = from_wire(message.work_id(), "AwaitWork.work_id");
    return id ? end_of(*id) : to_error(id.error());
  }

  /// Cancels one work. If it has ended, or will without publishing, that end
  /// is the answer.
  caf::result<wire::WorkEnded> withdraw(const wire::WithdrawWork& message) {
    if (message.has_name())
      return withdraw_named(message);
    auto id = from_wire(message.work_id(), "WithdrawWork.work_id");
    if (!id)
      return to_error(id.error());
    return withdraw_work(*id);
  }

  /// Likewise by the name that the program has for it. If it has none yet, the
  /// program may remember that, and the answer says nothing.
  caf::result<wire::WorkEnded>
  withdraw_named(const wire::WithdrawWork& message) {
    auto request =
      from_wire(message.work_id().request(), "WithdrawWork.work_id.request");
    if (!request)
      return to_error(request.error());
    if constexpr (!names_works<P>) {
      return to_error({errc::invalid_argument,
                       "WithdrawWork.name: the works of this program have no "
                       "names; use work_id"});
    } else {
      if (!has_terms_of(*request))
        return to_error(unknown(*request).value());
      if (auto known = named(*request, message.name()))
        return withdraw_work(*known);
      if (auto noted =
            program_.withdraw_early(intake_.terms(*request), message.name());
          !noted)
        return to_error(noted.error());
      return wire::WorkEnded{};
    }
  }

  /// Whether a request's terms are still here.
  [[nodiscard]] bool has_terms_of(request_id id) const {
    return core_.status_of(id) == request_status::active || desks_.has(id);
  }

  /// The work that the program calls so. @pre `has_terms_of(id)`
  std::optional<work_id> named(request_id id, const std::string& work_name) {
    const auto known = program_.find_work(intake_.terms(id), work_name);
    if (!known)
      return std::nullopt;
    return work_id{id, *known, core_.life_of(id).value_or(0)};
  }

  caf::result<wire::WorkEnded> withdraw_work(const work_id& id) {
    auto* work = core_.find_work(id);
    if (work == nullptr || work->lost_by)
      return end_of(id);
    work->lost_by = drop_reason::cancelled;
    auto later = owe_end(id);
    if (auto done = core_.cancel_work(id, time()))
      tell(std::move(*done));
    follow_up();
    return later;
  }

  /// Answers the end of a work, or owes it.
  caf::result<wire::WorkEnded> end_of(const work_id& which) {
    const auto* id = &which;
    if (core_.find_work(*id) != nullptr)
      return owe_end(*id);
    if (auto kept = ended_works_.take(*id))
      return std::move(*kept);
    auto lifecycle = core_.lifecycle(*id);
    if (!lifecycle)
      return to_error(
        {errc::unknown_work, "no work " + to_string(*id) + " is remembered"});
    return work_ended(*id, *lifecycle);
  }

  /// Owes the sender the end of a work that core has.
  caf::result<wire::WorkEnded> owe_end(const work_id& id) {
    owed_answer<wire::WorkEnded> owed{self_};
    auto later = owed.later();
    ended_works_.await(id, std::move(owed));
    return later;
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

  result<wire::Explanation> explain(const wire::ExplainQuery& message) {
    auto id = work_meant(message);
    if (!id)
      return fail(id.error());
    return explaining<P>{program_, core_, dispatcher_, journal_}.explain(
      *id, suspended_, time());
  }

  result<work_id> work_meant(const wire::ExplainQuery& message) {
    if (!message.has_name())
      return from_wire(message.work_id(), "ExplainQuery.work_id");
    if constexpr (names_works<P>) {
      auto request =
        from_wire(message.work_id().request(), "ExplainQuery.work_id.request");
      if (!request)
        return fail(request.error());
      if (!has_terms_of(*request))
        return unknown(*request);
      if (auto known = named(*request, message.name()))
        return *known;
      return fail(errc::unknown_work, "request " + to_string(*request)
                                        + " has had no work " + message.name());
    } else {
      return fail(errc::invalid_argument,
                  "ExplainQuery.name: the works of this program have no names; "
                  "use work_id");
    }
  }

  // --- turns

  void run_turn() {
    const auto now = time();
    if (suspended_) // nothing is submitted any more
      return follow_up();
    dispatcher_.stop_timed_out(now);
    auto done = core_.run_local_turn(
      now, [this](const submission& what, const hosted_work<P>&,
                  typename P::state_type::branch_type&) {
        return execute(what, *core_.find_work(what.id));
      });
    // A poisoned scheduler is drained without turns.
    tell(done ? std::move(*done) : core_.poll_completions(now));
    follow_up();
  }

  /// Arms whatever comes next.
  void follow_up() {
    dispatcher_.tell_unstarted();
    mind_the_waiting();
    for (auto& [id, number, result] : std::exchange(decided_, {}))
      core_.observe(id, std::move(result), number);
    if (suspended_)
      tell(core_.poll_completions(time()));
    answer_suspends();
    recorder_.news();
    answer_drains();
    arm_next();
    // What nobody waits for goes with what the next turn has to keep.
    if (!alarm_.turn_is_coming() || journal_.is_urgent())
      journal_.flush();
  }

  void arm_next() {
    if (suspended_)
      return;
    const auto now = time();
    auto next = core_.next_wake(now);
    if (auto other = dispatcher_.next_wake(now);
        other && (!next || *other < *next))
      next = other;
    if (next)
      alarm_.arm(*next, now);
  }

  /// Hands a work to its backend, or to the line that waits for it.
  result<hosted_output> execute(const submission& what, hosted_work<P>& work) {
    const auto now = time();
    if (auto known = std::exchange(work.decided, nullptr)) {
      decided_.push_back({what.id, what.number, std::move(*known)});
      return hosted_output{};
    }
    std::string wanted;
    if constexpr (routes_works<P>)
      wanted = program_.backend_of(work.message);
    const std::string name = dispatcher_.backends().meant(wanted);
    std::optional<instant> due;
    if (what.deadline != instant::max())
      due = what.deadline;
    if (const auto* ready =
          dispatcher_.admit(what.id, what.number, name, due, now))
      if (auto started = start(what.id, *ready, work, now); !started) {
        dispatcher_.drop(what.id, now);
        return fail(std::move(started.error()));
      }
    return hosted_output{name, true};
  }

  /// Starts what may start. A hook that throws is why it cannot.
  status start(const work_id& id, const flight& ready, hosted_work<P>& work,
               instant now) {
    return caught(errc::submission, "attempt_started", [&]() -> status {
      submission_order order{id, {}, {}};
      if constexpr (times_attempts<P>)
        order.limits = program_.limits_of(work.message);
      if constexpr (starts_attempts<P>)
        program_.attempt_started(intake_.terms(id.request), work.message,
                                 work.attempts,
                                 {ready.backend_name, ready.submission, now});
      recorder_.started(id, ready.submission, ready.backend_name, now);
      work.message.SerializeToString(&order.payload);
      dispatcher_.start(std::move(order), now);
      return {};
    });
  }

  /// A work that waited has a slot again.
  void resume(const work_id& id) {
    const auto now = time();
    auto* work = core_.find_work(id);
    const auto* ready = dispatcher_.resume(id, now);
    if (work == nullptr || ready == nullptr)
      return;
    if (auto started = start(id, *ready, *work, now); !started)
      dispatcher_.give_up(id, std::move(started.error()));
  }

  /// Gives the slots of works back that wait, and asks for slots for those
  /// that do no more.
  void mind_the_waiting() {
    const auto now = time();
    for (const auto& id : dispatcher_.take_waiting())
      if (auto parked = core_.park(id, now)) // else it is to be stopped
        tell(std::move(*parked));
    for (const auto& id : dispatcher_.let_pass(now))
      if (auto asked = core_.unpark(id, now))
        tell(std::move(*asked));
  }

  status park(const wire::ParkWork& message) {
    auto id = from_wire(message.work_id(), "ParkWork.work_id");
    if (!id)
      return fail(id.error());
    const auto now = time();
    if (auto may = dispatcher_.park(*id, message.submission(), now); !may)
      return may;
    if (auto parked = core_.park(*id, now))
      tell(std::move(*parked));
    follow_up();
    return {};
  }

  caf::result<void> unpark(const wire::UnparkWork& message) {
    auto id = from_wire(message.work_id(), "UnparkWork.work_id");
    if (!id)
      return to_error(id.error());
    owed_answer<void> owed{self_};
    auto later = owed.later();
    dispatcher_.unpark(*id, message.submission(), std::move(owed));
    follow_up();
    return later;
  }

  status join(const wire::BackendTerms& terms, const backend_actor& backend) {
    auto gate = from_wire(terms);
    if (!gate)
      return fail(gate.error());
    dispatcher_.join(terms.name(), backend, *gate);
    if (terms.as_default())
      dispatcher_.backends().force_default(terms.name());
    follow_up();
    return {};
  }

  /// A backend says something of what it is executing.
  void hear(const wire::Progress& message) {
    auto id = from_wire(message.work_id(), "Progress.work_id");
    if (!id || !dispatcher_.hear(*id, message.submission(), time()))
      return;
    if constexpr (hears_progress<P>)
      if (const auto* work = core_.find_work(*id);
          work != nullptr && message.has_detail())
        heed("progressed", [&] {
          program_.progressed(intake_.terms(id->request), work->message,
                              message.detail());
        });
  }

  /// One submission is over: the work is tried again, or has completed.
  void completed(const work_id& id, flight ended, dispatcher::ending how) {
    const auto number = ended.submission;
    const auto began = ended.place != flight_place::at_gate;
    const auto now = time();
    auto* work = core_.find_work(id);
    const auto pass = ended.pass;
    auto end = read_end<P>(std::move(ended), std::move(how), now);
    if (pass)
      dispatcher_.note(end.backend, *pass, news_of(end), now);
    // What can no longer publish is not tried again.
    if (work == nullptr || core_.lifecycle(id) != work_lifecycle::submitted) {
      if constexpr (hears_lost_attempts<P>)
        if (work != nullptr && began)
          heed("after_lost_attempt", [&] {
            program_.after_lost_attempt(intake_.terms(id.request),
                                        work->message, work->attempts,
                                        std::move(end));
          });
      core_.observe(id, fail(not_wanted()), number);
      return follow_up();
    }
    if (suspended_ && !has_succeeded(end)) { // as if it had not been
      put_back(id, number, *work, std::nullopt);
      return follow_up();
    }
    auto next =
      judge<P>(program_, intake_.terms(id.request), *work, std::move(end));
    if (auto* again = std::get_if<try_again>(&next)) {
      const auto pause = std::max(again->delay, duration::zero());
      put_back(id, number, *work, later(now, pause));
    } else {
      core_.observe(id, std::move(std::get<1>(next)), number);
    }
    follow_up();
  }

  /// Whether an attempt that was to be stopped has come to its end before.
  static bool has_succeeded(const attempt_end<P>& end) {
    if (!end.how || end.timed_out)
      return false;
    if constexpr (tells_success<P>)
      return P::succeeded(*end.how);
    else
      return true;
  }

  /// Queues a work again whose submission is over, at once or for later.
  void put_back(const work_id& id, std::uint32_t number,
                const hosted_work<P>& work, std::optional<instant> not_before) {
    const auto now = time();
    recorder_.waits(id, number, work, now);
    if (auto done = core_.requeue(id, not_before, now))
      tell(std::move(*done));
  }

  /// What an attempt has shown of its backend.
  std::optional<backend_news> news_of(const attempt_end<P>& end) {
    std::optional<backend_news> news;
    if constexpr (watches_backends<P>)
      heed("backend_news", [&] { news = program_.news_of(end); });
    return news;
  }

  // --- telling

  void tell(outcome done) {
    recorder_.close_requests(done);
    for (const auto& row : done.resumed)
      resume(row.id);
    for (const auto& row : done.abandoned) {
      note_loss(row.id);
      dispatcher_.stop(row.id);
    }
    for (const auto& row : done.requeued)
      if (const auto* work = core_.find_work(row.id))
        recorder_.waits(row.id, core_.submissions_of(row.id), *work, time());
    recorder_.ends(done, time());
    for (const auto& row : done.overdue)
      spdlog::warn("work_overdue work={} age_ms={}", to_string(row.id),
                   row.age.count() / 1'000'000);
    for (const auto& row : done.committed) {
      end_of_work<P> end;
      end.result = row.outcome ? &*row.outcome : nullptr;
      tell_end(row, std::move(end));
    }
    for (const auto& row : done.failed) {
      end_of_work<P> end;
      end.lifecycle = work_lifecycle::failed;
      end.why = &row.why;
      tell_end(row, std::move(end));
    }
    for (const auto& row : done.dropped) {
      end_of_work<P> end;
      end.lifecycle = row.lifecycle;
      end.lost_by = row.work.lost_by.value_or(row.reason);
      end.reclaimed = row.reason == drop_reason::reclaimed;
      if (end.reclaimed)
        dispatcher_.drop(row.id, time());
      tell_end(row, std::move(end));
    }
    for (const auto& row : done.ended)
      note_end(row);
    if (done.poisoned)
      spdlog::error("scheduler_poisoned reason=\"{}\"", done.poisoned->detail);
    for (const auto& row : done.ended)
      tell_if_quiet(row.request);
    for (const auto& row : done.dropped)
      tell_if_quiet(row.id.request);
    for (const auto& row : done.failed)
      tell_if_quiet(row.id.request);
    core_.recycle(std::move(done));
  }

  /// Notes why a work has lost its right to publish; the first cause stays.
  void note_loss(const work_id& id) {
    auto* work = core_.find_work(id);
    if (work == nullptr || work->lost_by)
      return;
    work->lost_by = recorder_.status_of(id.request) == request_status::active
                      ? drop_reason::expired
                      : drop_reason::with_request;
  }

  template <class Row>
  void tell_end(const Row& row, end_of_work<P> end) {
    auto message = message_of<P>(row);
    if (journal_.is_there()) { // the program heard of it before
      if (row.work.said)
        message.set_outcome(*row.work.said);
      return ended_works_.tell(row.id, std::move(message));
    }
    if constexpr (hears_ends<P>) {
      end.request =
        core_.status_of(row.id.request).value_or(request_status::finished);
      end.now = time();
      heed("work_ended", [&] {
        auto said =
          program_.work_ended(intake_.terms(row.id.request), row.work.message,
                              row.work.attempts, end);
        if (said && end.result == nullptr)
          said->SerializeToString(message.mutable_outcome());
      });
    }
    ended_works_.tell(row.id, std::move(message));
  }

  void note_end(const typename outcome::ended_row& row) {
    auto ended = message_of<P>(row);
    if constexpr (encodable_state<typename P::state_type>)
      if (core_.request_state(row.request) != nullptr)
        if (auto bytes = encoded_state(row.request))
          ended.set_state(std::move(*bytes));
    desks_.note(row.request, std::move(ended));
  }

  /// A request's end is told once nothing of it runs any more.
  void tell_if_quiet(request_id id) {
    if (desks_.has_end(id) && core_.in_progress_for(id) == 0)
      close(id);
  }

  void close(request_id id) {
    if constexpr (completes_states<P>)
      desks_.amend(id, [&](wire::RequestEnded& ended) {
        if (ended.has_state())
          heed("complete_state", [&] {
            program_.complete_state(intake_.terms(id), *ended.mutable_state());
          });
      });
    if constexpr (hears_requests<P>)
      if (!journal_.is_there()) // else it heard of that before
        heed("request_closed", [&] {
          program_.request_closed(
            intake_.terms(id),
            core_.status_of(id).value_or(request_status::finished));
        });
    desks_.tell(id);
    intake_.close(id);
    recorder_.forget(id);
  }

  /// Nothing can be kept any more, so nothing may be told: what runs is
  /// stopped, and whoever waits hears `backend_lost`.
  void lose_journal(const failure& why) {
    spdlog::critical("scheduler_ends reason=\"{}\"", why.detail);
    dispatcher_.stop_all();
    self_->quit(to_error(why));
  }

  // --- draining

  caf::result<void> drain() {
    draining_ = true;
    owed_answer<void> owed{self_};
    auto later = owed.later();
    drains_.push_back(std::move(owed));
    answer_drains();
    return later;
  }

  caf::result<void> suspend() {
    draining_ = suspended_ = true;
    dispatcher_.stop_all();
    owed_answer<void> owed{self_};
    auto later = owed.later();
    suspends_.push_back(std::move(owed));
    follow_up();
    return later;
  }

  /// Answers who waits for the suspension, once nothing runs.
  void answer_suspends() {
    if (suspends_.empty() || dispatcher_.has_flights())
      return;
    for (auto& who : std::exchange(suspends_, {})) {
      auto owed = std::make_shared<owed_answer<void>>(std::move(who));
      journal_.when_durable([owed] { owed->settle({}); });
    }
  }

  void answer_drains() {
    if (drains_.empty() || core_.in_progress() > 0)
      return;
    for (auto& who : std::exchange(drains_, {}))
      who.settle({});
  }

  static auto unknown(request_id id) {
    return fail(errc::unknown_request,
                "request " + to_string(id) + " is not active");
  }

  [[nodiscard]] instant time() const { return now(self_->clock()); }

  scheduler_actor::pointer self_;
  P program_;
  core_type core_;
  turn_alarm alarm_;
  request_desks desks_;
  dispatcher dispatcher_;
  intake<P> intake_;
  journal_desk journal_;
  recorder<P> recorder_;
  ended_works ended_works_;
  std::vector<decision> decided_;
  std::vector<owed_answer<void>> drains_;
  std::vector<owed_answer<void>> suspends_;
  bool draining_ = false;
  bool suspended_ = false;
};

/// Spawns a scheduler for `program`, which it owns, or says which limit is
/// zero. `Parent` is an actor system, an actor's own pointer or a scoped actor.
template <hosted_program P, class Parent>
result<scheduler_actor>
spawn_scheduler(Parent&& parent, scheduler_options options, P program = {}) {
  if (auto valid = validate(options.settings.limits); !valid)
    return fail(valid.error());
  return scheduler_actor{
    spawn<scheduler_state<P>>(parent, std::move(options), std::move(program))};
}

} // namespace turnstile
