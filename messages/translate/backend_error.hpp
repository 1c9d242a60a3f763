#pragma once

#include "core/attempt/backend_error.hpp"
#include "core/base/result.hpp"
#include "messages/agent.pb.h"

#include <string_view>

namespace turnstile {

wire::BackendErrorKind to_wire(backend_error_kind kind) noexcept;
wire::BackendError to_wire(const backend_error& error);

// A kind that only a newer peer knows is refused, as is none at all.

result<backend_error_kind>
from_wire(wire::BackendErrorKind number,
          std::string_view field = "BackendErrorKind");
result<backend_error> from_wire(const wire::BackendError& message,
                                std::string_view field = "BackendError");

} // namespace turnstile
