#pragma once

#include <string>

namespace turnstile {

/// Makes a UUID of version 7 (RFC 9562): ordered by the time of its making,
/// the rest random.
std::string make_uuid();

/// The identity of what is called `name` in the run of this identity: likewise
/// a UUID of version 7 with the run's time, and always the same.
std::string uuid_within(const std::string& run_id, const std::string& name);

} // namespace turnstile
