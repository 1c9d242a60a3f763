#pragma once

#include <string>

// Names and addresses of hosts, and of people at them.

namespace turnstile::draft7 {

bool is_hostname(const std::string& text); ///< RFC 1123, section 2.1
bool is_ipv4(const std::string& text);     ///< RFC 2673, section 3.2
bool is_ipv6(const std::string& text);     ///< RFC 4291, section 2.2
bool is_email(const std::string& text);    ///< RFC 5321, section 4.1.2

} // namespace turnstile::draft7
