#include "actors/scheduler/dispatcher.hpp"

#include "messages/translate/failure.hpp"
#include "messages/translate/ids.hpp"

#include <algorithm>
#include <utility>

namespace turnstile {

dispatcher::dispatcher(scheduler_actor::pointer self, on_end ended,
                       on_stale stale)
  : self_(self), ended_(std::move(ended)), stale_(std::move(stale)),
    backends_(self, [this](const backend_actor& backend,
                           const caf::error& why) { lose(backend, why); }) {}

std::string dispatcher::start(submission_order order, instant now) {
  const auto id = order.id;
  const auto number = order.submission;
  const auto name = backends_.meant(order.backend);
  flight begun{{}, name, number, now, {}, now, {}, false};
  auto backend = backends_.find(name);
  if (!backend) {
    flights_.begin(id, std::move(begun));
    unstarted_.push_back({id, number, std::move(backend.error())});
    return name;
  }
  begun.backend = *backend;
  begun.limits = order.limits;
  flights_.begin(id, std::move(begun));
  wire::Execute message;
  *message.mutable_work_id() = to_wire(id);
  message.set_submission(number);
  message.set_payload(std::move(order.payload));
  if (order.deadline)
    message.set_remaining_ns((*order.deadline - now).count());
  mail(self_, std::move(message))
    .request(*backend, caf::infinite)
    .then([this, id, number](
            const wire::Completed& answer) { answered(answer, id, number); },
          [this, id, number, name](const caf::error& why) {
            end(id, number, fail(gone(name, why)));
          });
  return name;
}

void dispatcher::tell_unstarted() {
  for (auto& one : std::exchange(unstarted_, {}))
    end(one.id, one.submission, fail(std::move(one.why)));
}

void dispatcher::stop(const work_id& id) {
  auto* found = flights_.find(id);
  if (found == nullptr || found->asked_to_stop || !found->backend)
    return;
  found->asked_to_stop = true;
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

void dispatcher::stop_timed_out(instant now) {
  for (const auto& id : flights_.take_timed_out(now))
    stop(id);
}

void dispatcher::answered(const wire::Completed& answer, const work_id& id,
                          std::uint32_t submission) {
  const auto* known = flights_.find(id);
  if (known == nullptr || known->submission != submission)
    return stale_(id, submission);
  if (!answer.has_failure())
    return end(id, submission, std::string_view{answer.outcome()});
  auto why = from_wire(answer.failure(), "Completed.failure");
  end(id, submission, fail(why ? std::move(*why) : std::move(why.error())));
}

void dispatcher::end(const work_id& id, std::uint32_t submission, ending how) {
  if (auto ended = flights_.end(id, submission)) // else the monitor was first
    ended_(id, std::move(*ended), std::move(how));
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
