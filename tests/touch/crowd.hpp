#pragma once

#include "tests/touch/plain_program.hpp"

#include <chrono>
#include <cstdint>
#include <random>
#include <utility>

namespace turnstile::touch_test {

using namespace std::chrono_literals;

/// A scheduler with many active requests, each with one work that is queued or
/// in flight, or with one of each, where the second is blocked by the first.
/// Every work has a deadline of its own, far away. The verbs below put it into
/// the situation that a measurement wants, and back.
class crowd {
public:
  using core_type = scheduler<plain_program>;
  using outcome = core_type::outcome;

  enum class kind : std::uint8_t { queued, in_flight, blocked };

  crowd(std::uint64_t size, kind all)
    : all_(all), size_(size), core(make(size)) {
    for (std::uint64_t id = 0; id < size; ++id) {
      settle_in({id});
      if (all != kind::queued)
        turn();
      if (all == kind::blocked)
        enqueue({id});
    }
  }

  /// A request that is there; each time another one, always in the same order.
  request_id somebody() { return {engine_() % size_}; }

  /// Registers `id` and gives it its work.
  void settle_in(request_id id) {
    (void)core.register_request(id, plain_state{});
    enqueue(id);
  }

  work_id enqueue(request_id id) {
    work_options options;
    options.deadline = now + 1h + duration{engine_() % 1'000'000};
    options.policy.lasts = deadline_policy::until::commit;
    return *core.enqueue(id, {1}, options);
  }

  /// The first work of a request that lives.
  work_id work_of(request_id id) {
    const auto life = *core.life_of(id);
    work_id work{id, 0, life};
    while (!core.find_work(work))
      ++work.sequence;
    return work;
  }

  void turn() { give_back(*core.run_local_turn(now, take_it)); }
  void poll() { give_back(core.poll_completions(now)); }

  /// Ends what a backend has of `work`, whatever becomes of it.
  void complete(const work_id& work) {
    give_back(core.complete(work, std::uint32_t{1}, now));
  }

  void give_back(outcome&& out) { core.recycle(std::move(out)); }

  /// Makes room for `id` again and lets it settle in.
  void replace(request_id id) {
    (void)core.forget(id);
    settle_in(id);
    if (all_ == kind::in_flight)
      turn();
  }

private:
  static core_type make(std::uint64_t size) {
    scheduler_settings settings;
    settings.limits.max_active_requests = size + 10;
    settings.limits.max_queued_work = 4 * size;
    settings.limits.max_in_flight_global = 2 * size;
    settings.limits.max_new_submissions_per_turn = 1;
    settings.reclaim_after = 1h;
    return *core_type::create(settings);
  }

  kind all_;
  std::uint64_t size_;
  std::mt19937_64 engine_{4711};

public:
  core_type core;
  instant now{1s};
};

} // namespace turnstile::touch_test
