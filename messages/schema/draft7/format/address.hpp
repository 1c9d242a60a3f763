#pragma once

#include <string>

namespace turnstile::draft7 {

/// The grammar of an IPv4 and an IPv6 address, in RE2's words, as RFC 3986
/// writes it (IPv4address, IPv6address).
std::string ipv4_form();
std::string ipv6_form();

} // namespace turnstile::draft7
