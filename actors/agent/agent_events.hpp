#pragma once

#include "core/base/error.hpp"
#include "core/work/lifecycle.hpp"
#include "messages/agent.pb.h"
#include "messages/event.pb.h"
#include "messages/run.pb.h"

#include <cstdint>
#include <optional>
#include <string>

// What is said in a run's stream of events, from what an agent scheduler knows.
// Which run it is about is for the publisher to fill in.

namespace turnstile {

/// How a run is called whose request has ended so.
wire::RunStatus run_status(request_status how);

/// Returns the word for that: "completed".
std::string run_word(wire::RunStatus status);

/// Calls the end of a run by what somebody has said of it: its report, and
/// its status, unless it failed or was cancelled.
void call_by(const wire::RunVerdict& verdict, wire::RunDone& done);

wire::Event run_started(const wire::RunTerms& terms);

/// A run has ended; `tokens` are those of all its tasks.
wire::Event run_done(request_status how, const wire::TokenUsage& tokens);

/// A task begins its first attempt. The preview of its prompt are its first
/// 60 characters.
wire::Event agent_started(const wire::AgentTask& task);

/// A task has ended, in whatever way. @pre `task.prompt()` is the last one
wire::Event agent_done(const wire::AgentTask& task,
                       const wire::TaskRecord& record);

/// An output did not match and is asked for again, for the `attempt`-th time.
wire::Event schema_retry(const wire::AgentTask& task, std::uint32_t attempt,
                         std::uint32_t max);

wire::Event task_refused(const wire::AgentTask& task, const failure& why);

/// What a backend says of a task while it executes it: a serialised
/// `wire::Event` of the kind agent_progress, acp_raw, acp_request or log, whose
/// agent is filled in. Nothing if it is none of these.
std::optional<wire::Event> agent_news(const wire::AgentTask& task,
                                      const std::string& detail);

} // namespace turnstile
