#include "actors/testing/scripted_backend.hpp"

#include "core/base/check.hpp"
#include "messages/translate.hpp"

#include <algorithm>
#include <utility>

namespace turnstile {

scripted_backend_state::scripted_backend_state(
  scripted_backend_actor::pointer self, std::string backend_name,
  std::vector<backend_step> steps)
  : self_(self), backend_name_(std::move(backend_name)),
    steps_(std::move(steps)) {
  TURNSTILE_CHECK(!steps_.empty());
}

scripted_backend_actor::behavior_type scripted_backend_state::make_behavior() {
  return {
    [this](const wire::Execute& order) { return execute(order); },
    [this](const wire::CancelWork& order) -> caf::result<wire::Quiet> {
      auto id = from_wire(order.work_id(), "CancelWork.work_id");
      if (!id)
        return to_error(id.error());
      end(*id, true);
      wire::Quiet quiet;
      *quiet.mutable_work_id() = order.work_id();
      quiet.set_submission(order.submission());
      return quiet;
    },
    [this](const wire::BackendCapabilitiesQuery&) {
      wire::BackendCapabilities capabilities;
      capabilities.set_backend(backend_name_);
      capabilities.set_physically_preemptible(true);
      return capabilities;
    },
    [this](calls_atom) { return calls_; },
    [this](wake_atom, std::uint64_t timer) {
      if (auto found = by_timer_.find(timer); found != by_timer_.end())
        end(work_id{found->second}, false);
    },
  };
}

caf::result<wire::Completed>
scripted_backend_state::execute(const wire::Execute& order) {
  auto id = from_wire(order.work_id(), "Execute.work_id");
  if (!id)
    return to_error(id.error());
  if (open_.contains(*id))
    return to_error(
      {errc::state, "work " + to_string(*id) + " is being executed already"});
  const auto& step = steps_[std::min<std::uint64_t>(calls_, steps_.size() - 1)];
  ++calls_;
  call begun;
  *begun.answer.mutable_work_id() = order.work_id();
  begun.answer.set_submission(order.submission());
  if (const auto* ok = std::get_if<backend_step::succeed>(&step.what))
    begun.answer.set_outcome(ok->outcome);
  else if (const auto* why = std::get_if<failure>(&step.what))
    *begun.answer.mutable_failure() = to_wire(*why);
  const auto hangs = std::holds_alternative<backend_step::hang>(step.what);
  if (!hangs && step.delay <= duration::zero())
    return std::move(begun.answer);
  begun.owed = owed_answer<wire::Completed>{self_};
  auto later = begun.owed.later();
  if (!hangs) {
    begun.timer = ++timers_;
    by_timer_.emplace(begun.timer, *id);
    mail(self_, wake_atom_v, begun.timer)
      .delay(caf::timespan{step.delay})
      .send(scripted_backend_actor{self_});
  }
  open_.emplace(*id, std::move(begun));
  return later;
}

void scripted_backend_state::end(const work_id& id, bool cancelled) {
  auto found = open_.extract(id);
  if (!found)
    return;
  auto& ended = found.mapped();
  by_timer_.erase(ended.timer);
  if (cancelled)
    *ended.answer.mutable_failure() =
      to_wire(failure{errc::cancelled, "cancelled"});
  ended.owed.settle(std::move(ended.answer));
}

} // namespace turnstile
