#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// What happens when a work's deadline passes (decisions T6 and T7).
struct deadline_policy {
  /// Who ends: the whole request (the seed's rule), or this work alone.
  enum class scope : std::uint8_t { request, work };

  /// How long the deadline counts: until a backend has the work (the seed's
  /// rule), or until its commit, so that work in flight is abandoned.
  enum class until : std::uint8_t { submission, commit };

  scope ends = scope::request;
  until lasts = until::submission;

  friend bool operator==(const deadline_policy&,
                         const deadline_policy&) = default;
};

/// How one work is to be treated.
struct work_options {
  std::optional<instant> deadline; ///< Nothing: none.
  deadline_policy policy;
};

} // namespace turnstile
