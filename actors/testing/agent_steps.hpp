#pragma once

#include "actors/testing/scripted_backend.hpp"
#include "core/attempt/backend_error.hpp"
#include "messages/agent.pb.h"

#include <string>

namespace turnstile {

/// A step that delivers `output_json`, a JSON text, as an agent's result.
backend_step succeeds(std::string output_json, duration delay = {},
                      const wire::TokenUsage& tokens = {});

/// A step that fails the attempt. Without a text it says `"mock spawn"`, and
/// so on.
backend_step fails(backend_error_kind kind, duration delay = {},
                   std::string text = "");

/// A step that ends only when it is cancelled.
backend_step hangs();

} // namespace turnstile
