#include "actors/node/node_identity.hpp"

#include <array>
#include <random>
#include <unistd.h>

namespace turnstile::node {

std::uint64_t secret_number() {
  std::random_device chance;
  return (std::uint64_t{chance()} << 32) | chance();
}

std::string machine_name() {
  std::array<char, 256> text{};
  if (gethostname(text.data(), text.size() - 1) != 0 || text[0] == '\0')
    return "node";
  return text.data();
}

std::string program_version() {
  return TURNSTILE_VERSION;
}

} // namespace turnstile::node
