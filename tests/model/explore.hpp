#pragma once

#include "tests/model/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace turnstile::model {

/// Runs one random sequence of `steps` operations on the core and on the model
/// and compares after every step all that can be seen of them. Returns nothing
/// if they agree; else the seed, the sequence, and both pictures. A broken
/// invariant of the core is a difference. With `shrinks` it leaves out all
/// steps that the difference does not need.
std::optional<std::string> explore(std::uint64_t seed, std::uint64_t steps,
                                   bool polled, bool shrinks = true);

/// Runs `script` on the core and on the model. Returns what the core told at
/// its last step, or throws how they differ.
told replay_both(const rules& r, const std::vector<operation>& script);

} // namespace turnstile::model
