#pragma once

#include "actors/process/process_exit.hpp"
#include "messages/agent.pb.h"

namespace turnstile {

/// What the child of an agent task has said: the outcome of this attempt. A
/// child that failed is an error, as `verdict` has it; otherwise its standard
/// output is the answer.
///
/// One JSON value is that value; any other text is a JSON string, or an object
/// that says so if the task had asked for a schema:
/// `{"_agent_fallback_text":true,"text":"..."}`. What an object says in its
/// extras (answer_extras.hpp) fills the result instead.
wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit);

} // namespace turnstile
