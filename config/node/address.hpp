#pragma once

#include "core/base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace turnstile::config {

/// Where a node listens, or is found.
struct address {
  std::string host; ///< A name or a number, IPv6 without brackets.
  std::uint16_t port = 0;

  friend bool operator==(const address&, const address&) = default;
};

/// The port of Turnstile's nodes unless somebody says otherwise.
inline constexpr std::uint16_t usual_port = 4747;

/// Reads `HOST:PORT`, `HOST`, `[IPv6]:PORT` or `:PORT`; what is missing is
/// the loopback and the usual port. Port 0 stands for any free one.
result<address> parse_address(std::string_view text);

/// Renders what `parse_address` reads.
std::string to_string(const address& where);

/// Whether only processes of this machine get there: `localhost`, `127.x.y.z`,
/// `::1`.
bool is_loopback(const address& where);

} // namespace turnstile::config
