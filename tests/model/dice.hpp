#pragma once

#include "tests/model/operation.hpp"

#include <cstdint>
#include <random>

namespace turnstile::model {

/// Chance for one sequence: the same seed gives the same throws everywhere.
class dice {
public:
  explicit dice(std::uint64_t seed) : engine_(seed), calm_(!one_in(4)) {}

  /// From 0 to `n - 1`.
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  rules some_rules();

  /// The next step, chosen after a look at the model so that most steps mean
  /// something.
  operation some_operation(const naive_scheduler& m, std::int64_t now);

private:
  verb some_verb();
  request_id some_request(const naive_scheduler& m, bool active);
  work_id some_work(const naive_scheduler& m, bool running);
  order some_order(std::int64_t now);
  execution some_execution();
  group_plan some_group();
  fault some_fault(bool conflicts);
  errc some_failure();

  std::mt19937_64 engine_;
  std::uint64_t requests_ = 5;
  bool calm_; ///< Nothing poisons, so that the sequence goes on.
};

} // namespace turnstile::model
