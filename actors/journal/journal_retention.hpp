#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// Which requests a journal keeps that have ended; those that have not are kept
/// for ever.
struct journal_retention {
  std::uint64_t max_ended = 1000;  ///< The newest so many.
  std::optional<duration> max_age; ///< Since their end; nothing: any.
};

} // namespace turnstile
