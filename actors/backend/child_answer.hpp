#pragma once

#include "actors/process/process_exit.hpp"
#include "messages/agent.pb.h"

namespace turnstile {

/// What the exit of a task's child means as the outcome of its attempt: its
/// output as JSON if it is exactly one JSON value, else as text; or the error
/// that `verdict` sees.
wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit);

} // namespace turnstile
