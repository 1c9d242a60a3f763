#pragma once

#include "core/base/result.hpp"
#include "core/work/limits.hpp"
#include "messages/scheduling.pb.h"

#include <string_view>

namespace turnstile {

wire::Limits to_wire(const scheduler_limits& limits);

/// Refuses limits of which one is missing. Whether one is zero is not looked
/// at: that is for `validate` in core.
result<scheduler_limits> from_wire(const wire::Limits& message,
                                   std::string_view field = "Limits");

} // namespace turnstile
