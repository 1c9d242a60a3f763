#include "actors/testing/scripted_backend.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace turnstile::testing {

namespace {

/// When a step answers; nothing if it hangs.
std::optional<duration> delay_of(const backend_step& step) {
  if (const auto* success = std::get_if<succeed>(&step))
    return success->delay;
  if (const auto* failed = std::get_if<fail_with>(&step))
    return failed->delay;
  return std::nullopt;
}

wire::Completed ending_of(const backend_step& step, const wire::Execute& what) {
  if (const auto* success = std::get_if<succeed>(&step))
    return completed_with(what, success->outcome);
  if (const auto* failed = std::get_if<fail_with>(&step))
    return failed_with(what, failed->why);
  return failed_with(what, {errc::cancelled, "it hung"});
}

} // namespace

scripted_backend_state::scripted_backend_state(
  scripted_backend_actor::pointer self, std::string backend_name,
  std::vector<backend_step> steps, std::shared_ptr<scripted_calls> seen)
  : self_(self), backend_name_(std::move(backend_name)),
    steps_(std::move(steps)), seen_(std::move(seen)) {
  TURNSTILE_CHECK(!steps_.empty());
}

scripted_backend_actor::behavior_type scripted_backend_state::make_behavior() {
  return {
    [this](const wire::Execute& what) { return execute(what); },
    [this](const wire::CancelWork& which) { return cancel(which); },
    [this](const wire::BackendCapabilitiesQuery&) {
      wire::BackendCapabilities able;
      able.set_backend(backend_name_);
      able.set_physically_preemptible(true);
      return able;
    },
    [this](calls_atom) { return calls_; },
    [this](wake_atom, std::uint64_t number) { wake(number); },
  };
}

caf::result<wire::Completed>
scripted_backend_state::execute(const wire::Execute& what) {
  auto key = key_of(what, "Execute.work_id");
  if (!key)
    return failed_with(what, key.error());
  if (running_.contains(*key))
    return failed_with(what, {errc::submission, "it is running already"});
  auto call = scripted_call{seen_, *key};
  auto number = ++calls_;
  const auto& step = steps_[std::min(number, std::uint64_t{steps_.size()}) - 1];
  auto delay = delay_of(step);
  if (delay && *delay <= duration::zero())
    return ending_of(step, what);
  owed_answer<wire::Completed> owed{self_};
  auto later = owed.later();
  running_.emplace(*key, running{number, ending_of(step, what), std::move(owed),
                                 std::move(call)});
  if (delay) {
    delays_.emplace(number, *key);
    mail(self_, wake_atom_v, number)
      .delay(*delay)
      .send(scripted_backend_actor{self_});
  }
  return later;
}

wire::Quiet scripted_backend_state::cancel(const wire::CancelWork& which) {
  auto key = key_of(which, "CancelWork.work_id");
  if (!key)
    return quiet_about(which);
  if (auto found = running_.extract(*key)) {
    auto& it = found.mapped();
    delays_.erase(it.number);
    it.owed.settle(failed_with(which, {errc::cancelled, "it was cancelled"}));
  }
  return quiet_about(which);
}

void scripted_backend_state::wake(std::uint64_t number) {
  auto delay = delays_.extract(number);
  if (!delay) // cancelled meanwhile
    return;
  auto found = running_.extract(delay.mapped());
  TURNSTILE_CHECK(found);
  found.mapped().owed.settle(std::move(found.mapped().ending));
}

} // namespace turnstile::testing
