#pragma once

#include "actors/caf/network.hpp"

namespace turnstile::node {

/// Says whether the files of the terms are there and fit together, or which of
/// them is wrong.
status usable(const network_terms& terms);

} // namespace turnstile::node
