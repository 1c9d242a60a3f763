#pragma once

#include "core/base/time.hpp"

#include <string>

namespace turnstile {

/// Writes `length` in the largest unit that is exact, as plans do: `"90s"`,
/// `"1h"`, `"0s"`.
std::string duration_text(duration length);

} // namespace turnstile
