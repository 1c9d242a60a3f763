#pragma once

#include "core/attempt/backend_gate.hpp"
#include "core/base/result.hpp"
#include "messages/backend.pb.h"

#include <string>
#include <string_view>

namespace turnstile {

wire::BackendTerms to_wire(const std::string& name, const gate_policy& gate);

/// What is absent keeps its default. What `validate` refuses is refused.
result<gate_policy> from_wire(const wire::BackendTerms& message,
                              std::string_view field = "BackendTerms");

} // namespace turnstile
