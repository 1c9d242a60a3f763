#pragma once

#include "core/base/result.hpp"
#include "core/work/report.hpp"
#include "messages/scheduling.pb.h"

namespace turnstile {

wire::Report to_wire(const scheduler_report& report);

/// Never refuses: a count that an older peer does not know is zero.
result<scheduler_report> from_wire(const wire::Report& message);

} // namespace turnstile
