#pragma once

#include "core/base/result.hpp"
#include "core/work/report.hpp"
#include "messages/scheduling.pb.h"

#include <string_view>

namespace turnstile {

wire::Capabilities to_wire(const scheduler_capabilities& capabilities);

/// Refuses capabilities of which one limit is missing.
result<scheduler_capabilities>
from_wire(const wire::Capabilities& message,
          std::string_view field = "Capabilities");

} // namespace turnstile
