#pragma once

#include "actors/caf/caf.hpp"
#include "actors/caf/network.hpp"
#include "tests/bench/bench.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>

#include <cstddef>
#include <future>
#include <utility>

namespace turnstile::bench {

/// Of a system that has one core, and its peers elsewhere. More threads than
/// cores would only wake each other.
struct one_core_config : node_config<> {
  one_core_config() {
    set(option("scheduler.max-threads"), std::size_t{1});
    use_network();
  }
};

/// Keeps so many of `asks(self, done)` open until all were answered.
template <class Asking>
struct asking_state {
  asking_state(caf::event_based_actor* me, Asking how, int all, int open,
               std::promise<void>* told)
    : self(me), asks(std::move(how)), left(all), missing(all), ended(told) {
    for (int i = 0; i < open; ++i)
      ask();
  }

  caf::behavior make_behavior() {
    return {[](int) {}};
  }

  void ask() {
    if (left-- > 0)
      asks(self, [this] {
        ask();
        if (--missing == 0) {
          self->quit();
          ended->set_value();
        }
      });
  }

  caf::event_based_actor* self;
  Asking asks;
  int left;
  int missing;
  std::promise<void>* ended;
};

/// Returns nanoseconds per answer, with so many questions open.
template <class Asking>
double per_answer(caf::actor_system& system, Asking asks, int all, int open) {
  std::promise<void> told;
  auto ended = told.get_future();
  const auto spent = nanoseconds([&] {
    turnstile::spawn<asking_state<Asking>>(system, asks, all, open, &told);
    ended.wait();
  });
  return spent / all;
}

} // namespace turnstile::bench
