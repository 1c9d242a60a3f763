#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "messages/scheduling.pb.h"

#include <string_view>

namespace turnstile {

// In every `from_wire`, `field` is what a refusal calls the message: pass the
// place it was found in, as in `from_wire(m.work_id(), "Quiet.work_id")`.

wire::RequestId to_wire(request_id id);
wire::WorkId to_wire(const work_id& id);

/// Zero is a valid identity; none at all is refused.
result<request_id> from_wire(const wire::RequestId& message,
                             std::string_view field = "RequestId");

/// Refuses an identity without request, sequence or life.
result<work_id> from_wire(const wire::WorkId& message,
                          std::string_view field = "WorkId");

} // namespace turnstile
