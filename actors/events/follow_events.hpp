#pragma once

#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"
#include "core/base/error.hpp"

#include <optional>
#include <utility>

namespace turnstile {

/// Calls `on_event(event)` for every event of a run from the cursor of `query`
/// on, in their order and as they come, and then once `on_end(problem)`:
/// nothing if the run's stream has ended, else why it can be read no further.
/// `whom` is a run's actor, which this keeps alive meanwhile, or the log; then
/// the query names the run. Both functions are copied, and called by `self`.
template <class Self, class Handle, class OnEvent, class OnEnd>
void follow_events(Self* self, Handle whom, wire::EventsQuery query,
                   OnEvent on_event, OnEnd on_end) {
  query.set_wait(true);
  mail(self, query)
    .request(whom, caf::infinite)
    .then(
      [=](const wire::EventBatch& batch) mutable {
        for (const auto& event : batch.events())
          on_event(event);
        if (batch.ended())
          return on_end(std::optional<failure>{});
        query.set_from(batch.next());
        follow_events(self, whom, std::move(query), on_event, on_end);
      },
      [=](const caf::error& why) mutable {
        on_end(std::optional{to_failure(self->system(), why)});
      });
}

} // namespace turnstile
