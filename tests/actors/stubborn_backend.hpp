#pragma once

#include "actors/backend.hpp"
#include "actors/caf/owed_answer.hpp"

#include <utility>
#include <vector>

namespace turnstile::testing {

/// Keeps what it is given, whoever cancels it, until somebody asks what it is
/// able to do.
struct stubborn_state {
  explicit stubborn_state(backend_actor::pointer selfptr) : self(selfptr) {}

  backend_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Execute&) {
        owed.emplace_back(self);
        return owed.back().later();
      },
      [](const wire::CancelWork& which) {
        wire::Quiet quiet;
        *quiet.mutable_work_id() = which.work_id();
        return quiet;
      },
      [this](const wire::BackendCapabilitiesQuery&) {
        for (auto& one : std::exchange(owed, {}))
          one.settle(wire::Completed{});
        return wire::BackendCapabilities{};
      },
    };
  }

  backend_actor::pointer self;
  std::vector<owed_answer<wire::Completed>> owed;
};

} // namespace turnstile::testing
