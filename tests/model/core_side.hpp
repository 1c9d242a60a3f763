#pragma once

#include "tests/model/operation.hpp"

#include <memory>
#include <string>
#include <vector>

namespace turnstile::model {

/// The scheduler under test, in the model's words: it takes the same steps and
/// writes down the same lines.
class core_side {
public:
  core_side() = default;
  core_side(const core_side&) = delete;
  core_side& operator=(const core_side&) = delete;
  virtual ~core_side() = default;

  /// Carries `op` out, audits every table, and returns what was told.
  virtual told run(const operation& op) = 0;

  /// All that can be asked about these lives and at `now`.
  virtual std::string picture(const std::vector<life>& lives,
                              std::int64_t now) = 0;
  virtual scheduler_report report() = 0;
};

/// A scheduler whose outputs can be asked, or one whose outputs cannot, as
/// `r.polled` says: two programs.
std::unique_ptr<core_side> make_core_side(const rules& r);

/// Does to a world what the verbs that only change the world say.
void change(steering& world, const operation& op);

/// The same two things of the model.
told run(naive_scheduler& m, const operation& op);
std::string picture(const naive_scheduler& m, std::int64_t now);

} // namespace turnstile::model
