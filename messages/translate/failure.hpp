#pragma once

#include "core/base/result.hpp"
#include "messages/scheduling.pb.h"

#include <string_view>

namespace turnstile {

wire::Failure to_wire(const failure& why);

/// A code that only a newer peer knows is refused; the refusal quotes the
/// message's own sentence, so that a reader still learns what happened.
result<failure> from_wire(const wire::Failure& message,
                          std::string_view field = "Failure");

/// The same for whoever has to fail with it anyway: what the message says, or
/// why that cannot be read.
failure failure_in(const wire::Failure& message,
                   std::string_view field = "Failure");

} // namespace turnstile
