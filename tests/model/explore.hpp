#pragma once

#include "tests/model/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace turnstile::model {

/// Runs one random sequence of `steps` operations on the core and on the model
/// and compares after every step all that can be seen of them. Returns nothing
/// if they agree; else the seed, the shortest sequence that still shows the
/// difference, and both pictures. A broken invariant of the core is a
/// difference.
std::optional<std::string> explore(std::uint64_t seed, std::uint64_t steps,
                                   bool polled);

} // namespace turnstile::model
