#pragma once

#include <string>

namespace turnstile {

/// Makes a UUID of version 7 (RFC 9562): ordered by the time of its making,
/// the rest random.
std::string make_uuid();

} // namespace turnstile
