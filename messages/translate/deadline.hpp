#pragma once

#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/work/work_options.hpp"
#include "messages/door.pb.h"

#include <cstdint>
#include <string_view>

// A time point never travels, since clocks differ between nodes. What travels
// is how much of it remains, so both ways need to be told what time it is.

namespace turnstile {

/// Returns how long it is from `now` until `at`; less than zero if it is over.
std::int64_t remaining_ns(instant at, instant now) noexcept;

/// Returns the instant `remaining_ns` after `now`. What is too far away to be
/// counted is `instant::max()`: never.
instant due_at(std::int64_t remaining_ns, instant now) noexcept;

wire::Deadline to_wire(const work_options& options, instant now);

/// A message that says nothing stands for no deadline, and a choice that it
/// leaves open is taken from `defaults`. An unknown number is refused.
result<work_options> from_wire(const wire::Deadline& message, instant now,
                               const deadline_policy& defaults = {},
                               std::string_view field = "Deadline");

} // namespace turnstile
