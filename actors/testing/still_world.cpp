#include "actors/testing/still_world.hpp"

#include "actors/caf/clock.hpp"
#include "core/base/check.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <utility>

namespace turnstile::testing {

namespace {

// Far from the clock's zero, which has a meaning of its own for CAF.
constexpr auto beginning = instant{std::chrono::hours{1}};

// Actors that still have mail after this many messages will never rest.
constexpr std::size_t endless = 100'000'000;

} // namespace

still_world::still_world(std::unique_ptr<caf::actor_system_config> config)
  : machine_(still_machine::start(std::move(config), beginning)) {
  settle(); // CAF's own actors have mail, too
}

still_world::~still_world() = default;

caf::actor_system& still_world::system() noexcept {
  return machine_->system();
}

bool still_world::step() {
  return machine_->step();
}

std::size_t still_world::settle() {
  std::size_t delivered = 0;
  for (;;) {
    while (step())
      TURNSTILE_CHECK(++delivered < endless);
    auto due = next_timer();
    if (!due || *due > now())
      return delivered;
    fire_next_timer();
  }
}

void still_world::advance(duration span) {
  TURNSTILE_CHECK(span >= duration::zero());
  auto end = now() + span;
  settle();
  for (auto due = next_timer(); due && *due <= end; due = next_timer()) {
    fire_next_timer();
    settle();
  }
  if (now() < end)
    machine_->move_to(end);
}

bool still_world::has_timer() const {
  return next_timer().has_value();
}

std::optional<instant> still_world::next_timer() const {
  return machine_->next_timer();
}

bool still_world::fire_next_timer() {
  return machine_->fire_next_timer();
}

instant still_world::now() const {
  return turnstile::now(machine_->system().clock());
}

void still_world::kill_actor(const caf::strong_actor_ptr& whom) {
  caf::anon_send_exit(whom, caf::exit_reason::kill);
  settle();
}

} // namespace turnstile::testing
