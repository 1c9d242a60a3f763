#pragma once

#include "messages/agent.pb.h"

#include <cstdint>
#include <string>

namespace turnstile {

/// Returns input plus output, at most 2^64-1. Cached tokens are a part of the
/// input and not counted again.
std::uint64_t total(const wire::TokenUsage& usage) noexcept;

/// Adds `more` to `sum`, each counter by itself and at most 2^64-1.
void add(wire::TokenUsage& sum, const wire::TokenUsage& more);

/// Renders a count for people: "999", "1.2k", "1M". One decimal, rounded half
/// up and left out if it is zero.
std::string display_tokens(std::uint64_t count);

/// Renders what went in and out: "↑1.2k ↓340", and ", 4k cached" if any of the
/// input came from a cache.
std::string display(const wire::TokenUsage& usage);

} // namespace turnstile
