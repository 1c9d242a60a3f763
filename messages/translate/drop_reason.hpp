#pragma once

#include "core/base/result.hpp"
#include "core/turn/outcome.hpp"
#include "messages/door.pb.h"

#include <string_view>

namespace turnstile {

wire::DropReason to_wire(drop_reason reason) noexcept;

/// A number that only a newer peer knows is refused, as is none at all.
result<drop_reason> from_wire(wire::DropReason number,
                              std::string_view field = "DropReason");

} // namespace turnstile
