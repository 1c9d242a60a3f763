#include "actors/scheduler/journal_desk.hpp"

#include "messages/translate.hpp"

#include <memory>

namespace turnstile {

journal_desk::journal_desk(scheduler_actor::pointer self, journal_link link,
                           std::function<void(std::uint64_t)> durable,
                           std::function<void(const failure&)> lost)
  : self_(self), link_(std::move(link)),
    wall_(link_.unix_origin ? wall_clock{*link_.unix_origin}
                            : wall_clock{self->clock()}),
    durable_(std::move(durable)), lost_(std::move(lost)) {
  if (!is_there())
    return;
  mail(self_, watch_atom_v, storage_watcher_actor{scheduler_actor{self_}})
    .send(link_.journal);
  monitor(self_, link_.journal, [this](const caf::error& why) {
    lost_({errc::storage_failed,
           "the journal is gone: " + render(self_->system(), why)});
  });
}

void journal_desk::hold(std::uint64_t position) {
  held_ = position;
}

void journal_desk::when_durable(std::function<void()> then) {
  if (is_there())
    waiting_.push_back(std::move(then));
  else
    then();
}

void journal_desk::flush() {
  if (draft_.facts_size() == 0 && !is_urgent())
    return;
  auto facts = std::exchange(draft_, {});
  facts.set_scheduler(link_.scheduler);
  if (!is_urgent()) {
    facts.set_lazy(true);
    anon_mail(std::move(facts)).send(link_.journal);
    return;
  }
  auto waiting = std::make_shared<std::vector<std::function<void()>>>(
    std::exchange(waiting_, {}));
  mail(self_, std::move(facts))
    .request(link_.journal, caf::infinite)
    .then(
      [this, waiting,
       held = std::exchange(held_, std::nullopt)](const wire::Durable&) {
        for (const auto& then : *waiting)
          then();
        if (held)
          durable_(*held);
      },
      [this](const caf::error& why) {
        lost_(to_failure(self_->system(), why));
      });
}

void journal_desk::note(const wire::StorageState& state) {
  trouble_.reset();
  if (!state.has_failure())
    return;
  trouble_ = failure_in(state.failure());
  if (state.for_good())
    lost_(*trouble_);
}

status journal_desk::may_accept() const {
  if (trouble_)
    return fail(*trouble_);
  return {};
}

} // namespace turnstile
