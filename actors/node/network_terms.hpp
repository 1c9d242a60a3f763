#pragma once

#include "actors/caf/network.hpp"
#include "config/node/settings.hpp"

namespace turnstile::node {

/// How CAF is to use the network for a node with these settings, or why it may
/// not: beyond the loopback without certificates, or with unusable ones.
result<network_terms> network_terms_of(const config::node_settings& settings);

} // namespace turnstile::node
