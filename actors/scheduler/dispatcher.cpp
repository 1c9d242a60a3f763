#include "actors/scheduler/dispatcher.hpp"

#include "messages/translate/failure.hpp"
#include "messages/translate/ids.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <utility>

namespace turnstile {

dispatcher::dispatcher(scheduler_actor::pointer self, on_end ended,
                       on_stale stale)
  : self_(self), ended_(std::move(ended)), stale_(std::move(stale)),
    backends_(
      self, [this](const std::string& name) { gates_.give_up(name); },
      [this](const backend_actor& backend, const caf::error& why) {
        lose(backend, why);
      }) {}

void dispatcher::take(const backend_set& all) {
  for (const auto& [name, backend] : all.by_name) {
    const auto gate = all.gates.find(name);
    join(name, backend, gate == all.gates.end() ? gate_policy{} : gate->second);
  }
  backends_.force_default(all.default_name);
}

void dispatcher::join(const std::string& name, const backend_actor& backend,
                      const gate_policy& policy) {
  backends_.join(name, backend, policy);
  gates_.open(name, policy);
}

status dispatcher::leave(const std::string& name) {
  auto left = backends_.leave(name);
  if (left)
    gates_.give_up(name);
  return left;
}

const flight* dispatcher::admit(const work_id& id, std::uint32_t submission,
                                std::string name,
                                std::optional<instant> deadline, instant now) {
  flight made;
  made.submission = submission;
  made.deadline = deadline;
  made.pass = gates_.enter(name, now);
  made.backend_name = std::move(name);
  const auto& added = flights_.add(id, std::move(made));
  if (added.pass)
    return &added;
  gates_.wait(added.backend_name, id, false);
  waiting_.push_back(id);
  return nullptr;
}

void dispatcher::start(submission_order order, instant now) {
  auto& begun = *flights_.find(order.id);
  const auto id = order.id;
  const auto number = begun.submission;
  auto backend = backends_.find(begun.backend_name);
  if (!backend) {
    begun.started = now;
    return give_up(id, std::move(backend.error()));
  }
  begun.backend = *backend;
  begun.limits = order.limits;
  flights_.execute(id, now);
  wire::Execute message;
  *message.mutable_work_id() = to_wire(id);
  message.set_submission(number);
  message.set_payload(std::move(order.payload));
  message.set_backend(begun.backend_name);
  if (begun.deadline)
    message.set_remaining_ns((*begun.deadline - now).count());
  mail(self_, std::move(message))
    .request(*backend, caf::infinite)
    .then([this, id, number](
            const wire::Completed& answer) { answered(answer, id, number); },
          [this, id, number, name = begun.backend_name](const caf::error& why) {
            end(id, number, fail(gone(name, why)));
          });
}

void dispatcher::give_up(const work_id& id, failure why) {
  if (const auto* known = flights_.find(id))
    unstarted_.push_back({id, known->submission, std::move(why)});
}

void dispatcher::tell_unstarted() {
  for (auto& one : std::exchange(unstarted_, {}))
    end(one.id, one.submission, fail(std::move(one.why)));
}

void dispatcher::stop(const work_id& id) {
  auto* found = flights_.find(id);
  if (found == nullptr || found->asked_to_stop)
    return;
  found->asked_to_stop = true;
  leave_line(id, *found, not_wanted());
  if (!found->backend)
    return give_up(id, not_wanted());
  wire::CancelWork order;
  *order.mutable_work_id() = to_wire(id);
  order.set_submission(found->submission);
  // Not urgent: it must not overtake the execution that it stops, which would
  // then run for ever. Its end comes as the answer to the execution, or by the
  // monitor.
  mail(self_, std::move(order))
    .request(found->backend, caf::infinite)
    .then([](const wire::Quiet&) {}, [](const caf::error&) {});
}

void dispatcher::stop_all() {
  for (const auto& id : flights_.all())
    stop(id);
}

bool dispatcher::hear(const work_id& id, std::uint32_t submission,
                      instant now) {
  auto* known = flights_.find(id, submission);
  if (known != nullptr)
    known->heard = now;
  return known != nullptr;
}

void dispatcher::stop_timed_out(instant now) {
  for (const auto& id : flights_.take_timed_out(now))
    stop(id);
}

void dispatcher::drop(const work_id& id, instant now) {
  auto* found = flights_.find(id);
  if (found == nullptr)
    return;
  leave_line(id, *found, {errc::cancelled, "it is waited for no more"});
  if (found->pass)
    gates_.come_back(found->backend_name, *found->pass, {}, now);
  flights_.end(id, 0);
}

status dispatcher::park(const work_id& id, std::uint32_t submission,
                        instant now) {
  auto* known = flights_.find(id, submission);
  if (known == nullptr || known->place != flight_place::executing)
    return fail(errc::unknown_work, "no backend executes submission "
                                      + std::to_string(submission) + " of work "
                                      + to_string(id));
  flights_.park(id, now);
  gates_.come_back(known->backend_name, *known->pass, {}, now);
  known->pass.reset();
  return {};
}

void dispatcher::unpark(const work_id& id, std::uint32_t submission,
                        owed_answer<void> owed) {
  auto* known = flights_.find(id, submission);
  if (known != nullptr && known->asked_to_stop)
    return owed.settle(fail(not_wanted()));
  if (known != nullptr && known->place == flight_place::executing)
    return owed.settle({});
  if (known == nullptr || known->place != flight_place::parked)
    return owed.settle(fail(
      errc::unknown_work, "submission " + std::to_string(submission)
                            + " of work " + to_string(id) + " is not parked"));
  known->place = flight_place::returning;
  known->unparked = std::move(owed);
  gates_.wait(known->backend_name, id, true);
}

std::vector<work_id> dispatcher::let_pass(instant now) {
  std::vector<work_id> all;
  for (const auto& [id, pass] : gates_.let_pass(now)) {
    flights_.find(id)->pass = pass;
    all.push_back(id);
  }
  return all;
}

const flight* dispatcher::resume(const work_id& id, instant now) {
  auto* known = flights_.find(id);
  if (known == nullptr || known->place == flight_place::at_gate)
    return known;
  flights_.execute(id, now);
  known->unparked.settle({});
  return nullptr;
}

void dispatcher::note(const std::string& name, const backend_gate::pass& which,
                      const std::optional<backend_news>& news, instant now) {
  const auto [before, after] = gates_.come_back(name, which, news, now);
  if (after.rests && after.opens_at && after.opens_at != before.opens_at)
    spdlog::warn("backend_rests backend={} for_ms={}", name,
                 (*after.opens_at - now).count() / 1'000'000);
  else if (before.rests && !after.rests)
    spdlog::info("backend_starts_again backend={}", name);
}

std::optional<instant> dispatcher::next_wake(instant now) const {
  auto next = flights_.next_timeout();
  if (const auto opens = gates_.opens_at(now))
    next = std::min(next.value_or(*opens), *opens);
  return next;
}

wire::Backends dispatcher::look(instant now) const {
  auto all = backends_.look();
  for (auto& entry : *all.mutable_entries()) {
    const auto seen = gates_.look(entry.terms().name(), now);
    entry.set_executing(seen.passed);
    entry.set_waiting(seen.waiting);
    entry.set_resting(seen.rests);
    if (seen.opens_at)
      entry.set_opens_in_ns((*seen.opens_at - now).count());
  }
  return all;
}

void dispatcher::leave_line(const work_id& id, flight& which,
                            const failure& why) {
  if (!which.pass)
    gates_.leave_line(which.backend_name, id);
  which.unparked.settle(fail(why));
}

void dispatcher::answered(const wire::Completed& answer, const work_id& id,
                          std::uint32_t submission) {
  if (flights_.find(id, submission) == nullptr)
    return stale_(id, submission);
  if (!answer.has_failure())
    return end(id, submission, std::string_view{answer.outcome()});
  end(id, submission, fail(failure_in(answer.failure(), "Completed.failure")));
}

void dispatcher::end(const work_id& id, std::uint32_t submission, ending how) {
  auto* known = flights_.find(id, submission);
  if (known == nullptr)
    return; // the monitor was first
  leave_line(id, *known, {errc::unknown_work, "the submission has ended"});
  ended_(id, *flights_.end(id, submission), std::move(how));
}

void dispatcher::lose(const backend_actor& backend, const caf::error& why) {
  for (const auto& [id, submission] : flights_.at(backend))
    if (const auto* known = flights_.find(id)) // else another end dropped it
      end(id, submission, fail(gone(known->backend_name, why)));
}

failure dispatcher::gone(const std::string& name, const caf::error& why) const {
  auto reason = to_failure(self_->system(), why);
  if (reason.code == errc::backend_lost)
    reason.detail = "backend " + name + " is gone: " + reason.detail;
  return reason;
}

} // namespace turnstile
