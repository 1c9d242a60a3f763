#pragma once

#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"

#include <cstdint>
#include <utility>

namespace turnstile {

/// Rings for a journal after a while. A timer keeps alive whom it is for, and
/// an actor system waits for the threads of actors that are kept alive: so the
/// timers are this actor's, which has no thread of its own and ends with the
/// journal.
class pacer_state {
public:
  static constexpr const char* name = "turnstile.pacer";

  pacer_state(pacer_actor::pointer self, journal_actor journal)
    : self_(self), journal_(std::move(journal)) {
    monitor(self_, journal_, [this](const caf::error&) {
      journal_ = journal_actor{};
      self_->quit();
    });
  }

  pacer_actor::behavior_type make_behavior() {
    return {
      [this](wake_atom, std::uint64_t number, std::int64_t after_ns) {
        mail(self_, wake_atom_v, number)
          .delay(duration{after_ns})
          .send(pacer_actor{self_});
      },
      [this](wake_atom, std::uint64_t number) {
        mail(self_, wake_atom_v, number).send(journal_);
      },
    };
  }

private:
  pacer_actor::pointer self_;
  journal_actor journal_;
};

} // namespace turnstile
