// What one transition costs the core: enqueue, prepare, submit, complete and
// commit, with completions that are pushed.
#include "tests/bench/bench.hpp"
#include "tests/touch/plain_program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace turnstile::bench {

namespace {

using touch_test::plain_program;
using touch_test::take_it;

/// Requests that are all active, and a way round them in no order that a cache
/// would like.
class workload {
public:
  workload(std::uint64_t active, std::uint64_t per_turn)
    : core_(make(active, per_turn)), per_turn_(per_turn) {
    for (std::uint64_t id = 0; id < active; ++id) {
      (void)core_.register_request({id}, {});
      ids_.push_back({id});
    }
    std::shuffle(ids_.begin(), ids_.end(), std::mt19937_64{1});
  }

  /// One turn: commits what the turn before submitted, and submits as much.
  void turn() {
    for (const auto& work : running_)
      core_.observe(work, std::uint32_t{1});
    running_.clear();
    for (std::uint64_t i = 0; i < per_turn_; ++i)
      (void)core_.enqueue(ids_[next_++ % ids_.size()], {1});
    auto out = *core_.run_local_turn(now_ += duration{1}, take_it);
    for (const auto& row : out.submitted)
      running_.push_back(row.id);
    core_.recycle(std::move(out));
  }

  double ns_per_transition(std::uint64_t transitions) {
    const auto turns = transitions / per_turn_;
    return nanoseconds([&] {
             for (std::uint64_t i = 0; i < turns; ++i)
               turn();
           })
           / static_cast<double>(turns * per_turn_);
  }

private:
  static scheduler<plain_program> make(std::uint64_t active,
                                       std::uint64_t per_turn) {
    scheduler_settings settings;
    settings.limits.max_active_requests = active;
    settings.limits.max_queued_work = 4 * per_turn;
    settings.limits.max_new_submissions_per_turn = per_turn;
    settings.limits.max_in_flight_global = 2 * per_turn;
    return *scheduler<plain_program>::create(settings);
  }

  scheduler<plain_program> core_;
  std::vector<request_id> ids_;
  std::vector<work_id> running_;
  std::uint64_t per_turn_;
  std::uint64_t next_ = 0;
  instant now_;
};

constexpr std::uint64_t transitions = 1'000'000;

void by_active_requests() {
  std::printf("%16s %14s %6s\n", "active requests", "ns/transition", "ratio");
  double first = 0;
  for (std::uint64_t active : {1, 1'000, 100'000, 1'000'000}) {
    workload load{active, 1};
    load.ns_per_transition(transitions / 10); // warms up
    const auto ns = load.ns_per_transition(transitions);
    first = first == 0 ? ns : first;
    std::printf("%16llu %14.0f %6.1f\n",
                static_cast<unsigned long long>(active), ns, ns / first);
  }
}

void by_submissions_per_turn() {
  std::printf("%16s %14s %6s\n", "submissions/turn", "ns/transition", "ratio");
  double first = 0;
  for (std::uint64_t per_turn : {1, 64}) {
    workload load{1'000, per_turn};
    load.ns_per_transition(transitions / 10);
    const auto ns = load.ns_per_transition(transitions);
    first = first == 0 ? ns : first;
    std::printf("%16llu %14.0f %6.1f\n",
                static_cast<unsigned long long>(per_turn), ns, ns / first);
  }
}

const registered active{"core: one submission a turn", by_active_requests};
const registered submissions{"core: among 1000 active requests",
                             by_submissions_per_turn};

} // namespace

} // namespace turnstile::bench
