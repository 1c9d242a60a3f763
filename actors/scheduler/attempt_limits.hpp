#pragma once

#include "core/base/time.hpp"

#include <cstdint>
#include <optional>

namespace turnstile {

/// For how long one submission may go on.
struct attempt_limits {
  std::optional<duration> whole; ///< From its start.
  std::optional<duration> idle;  ///< From its start or its last `Progress`.
};

/// Which of these limits a submission has passed.
enum class attempt_timeout : std::uint8_t { whole = 1, idle = 2 };

} // namespace turnstile
