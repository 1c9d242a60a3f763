#include "actors/rank/rank_flights.hpp"

#include "messages/translate.hpp"

#include <utility>

namespace turnstile {

rank_flights::rank_flights(rank_actor::pointer self, backend_actor backend,
                           on_end ended)
  : self_(self), backend_(std::move(backend)), ended_(std::move(ended)) {
  monitor(self_, backend_, [this](const caf::error& why) { lose(why); });
}

status rank_flights::start(const submission& what, std::string payload,
                           instant now) {
  if (is_lost_ || !backend_)
    return fail(errc::backend_lost, "the backend of this rank is gone");
  wire::Execute order;
  *order.mutable_work_id() = to_wire(what.id);
  order.set_submission(what.number);
  order.set_payload(std::move(payload));
  if (what.deadline != instant::max())
    order.set_remaining_ns(remaining_ns(what.deadline, now));
  running_.insert_or_assign(what.id, what.number);
  mail(self_, std::move(order))
    .request(backend_, caf::infinite)
    .then(
      [this, id = what.id, number = what.number](const wire::Completed& done) {
        if (done.has_failure())
          end(id, number, fail(failure_in(done.failure())));
        else
          end(id, number, std::string_view{done.outcome()});
      },
      [this, id = what.id, number = what.number](const caf::error& why) {
        end(id, number, fail(to_failure(self_->system(), why)));
      });
  return {};
}

void rank_flights::stop(const work_id& id) {
  const auto found = running_.find(id);
  if (found == running_.end())
    return;
  wire::CancelWork order;
  *order.mutable_work_id() = to_wire(id);
  order.set_submission(found->second);
  mail(self_, std::move(order))
    .request(backend_, caf::infinite)
    .then([](const wire::Quiet&) {}, // the end of the `Execute` counts
          [](const caf::error&) {});
}

void rank_flights::end(const work_id& id, std::uint32_t submission,
                       ending how) {
  const auto found = running_.find(id);
  if (found == running_.end() || found->second != submission)
    return; // It has been told before.
  running_.erase(found);
  ended_(id, submission, std::move(how));
}

void rank_flights::lose(const caf::error& why) {
  is_lost_ = true;
  const auto text = to_failure(self_->system(), why).detail;
  for (const auto& [id, submission] : std::exchange(running_, {}))
    ended_(
      id, submission,
      fail(errc::backend_lost, "the backend of this rank is gone: " + text));
}

} // namespace turnstile
