#pragma once

#include <cstdint>
#include <string>

namespace turnstile::node {

/// A number that nobody guesses.
std::uint64_t secret_number();

/// What this machine is called.
std::string machine_name();

/// `turnstile` and its version, for peers.
std::string program_version();

} // namespace turnstile::node
