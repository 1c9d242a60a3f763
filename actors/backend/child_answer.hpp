#pragma once

#include "actors/process/process_exit.hpp"
#include "messages/agent.pb.h"

#include <string>
#include <string_view>

namespace turnstile {

/// What the child of an agent task has said: the outcome of this attempt. A
/// child that failed is an error, as `verdict` has it; otherwise its standard
/// output is the answer.
///
/// One JSON value is that value; any other text is a JSON string, or an object
/// that says so if the task had asked for a schema:
/// `{"_agent_fallback_text":true,"text":"..."}`.
wire::AgentOutcome answer_of(const wire::AgentTask& task,
                             const process_exit& exit);

/// Returns a JSON value without the white space between its tokens. Numbers
/// and strings stay as they are written, keys in their order.
/// @pre `json` is one JSON value
std::string compact_json(std::string_view json);

} // namespace turnstile
