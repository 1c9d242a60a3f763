#pragma once

#include "actors/backend.hpp"
#include "actors/scheduler/journal_desk.hpp"
#include "core/work/settings.hpp"
#include "core/work/work_options.hpp"

#include <cstddef>

namespace turnstile {

/// What a scheduler actor is made of.
struct scheduler_options {
  scheduler_settings settings;
  backend_set backends;

  /// Ends of works that nobody has waited for yet and that are kept in case
  /// somebody will.
  std::size_t max_unawaited_ends = 1024;

  /// Where what happens is kept; by default nowhere.
  journal_link journal;

  /// How works are dated whose client does not say.
  deadline_policy deadlines;
};

} // namespace turnstile
