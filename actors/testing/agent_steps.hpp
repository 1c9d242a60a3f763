#pragma once

#include "actors/testing/scripted_backend.hpp"
#include "core/attempt/backend_error.hpp"
#include "messages/agent.pb.h"

#include <string>

// Steps of a scripted backend for agent tasks: their outcome is a serialised
// `wire::AgentOutcome`. Which task it was is for the scheduler to fill in.
//
//   spawn<scripted_backend_state>(system, "mock",
//     std::vector<backend_step>{fails(backend_error_kind::spawn, 10ms),
//                               ok(R"({"answer":42})")})
namespace turnstile::testing {

/// Succeeds with this output, which is JSON.
backend_step ok(std::string json_text, duration delay = duration::zero(),
                const wire::TokenUsage& tokens = {});

/// Fails the attempt. The text is "mock spawn", "mock protocol" and so on
/// unless one is given; none for `timeout` and `cancelled`, which show none.
backend_step fails(backend_error_kind kind, duration delay = duration::zero(),
                   std::string text = {});

/// Waits until it is cancelled.
backend_step hangs();

} // namespace turnstile::testing
