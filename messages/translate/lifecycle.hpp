#pragma once

#include "core/base/result.hpp"
#include "core/work/lifecycle.hpp"
#include "messages/scheduling.pb.h"

#include <string_view>

namespace turnstile {

wire::WorkLifecycle to_wire(work_lifecycle lifecycle) noexcept;
wire::RequestStatus to_wire(request_status status) noexcept;
wire::CancellationCause to_wire(cancellation_cause cause) noexcept;

// A number that only a newer peer knows is refused, as is none at all.

result<work_lifecycle> from_wire(wire::WorkLifecycle number,
                                 std::string_view field = "WorkLifecycle");
result<request_status> from_wire(wire::RequestStatus number,
                                 std::string_view field = "RequestStatus");
result<cancellation_cause>
from_wire(wire::CancellationCause number,
          std::string_view field = "CancellationCause");

} // namespace turnstile
