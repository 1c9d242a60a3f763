#pragma once

#include <cstddef>
#include <vector>

namespace turnstile::config {

/// For each node, the nodes that must come before it.
using needs_graph = std::vector<std::vector<std::size_t>>;

/// Returns cycles of `needs`, none of which shares a node with another, each
/// beginning with its lowest node. Nothing: there is an order. Looks for
/// `max_cycles` at most. O(nodes + needs) for the order and for each cycle.
std::vector<std::vector<std::size_t>> find_cycles(const needs_graph& needs,
                                                  std::size_t max_cycles);

} // namespace turnstile::config
