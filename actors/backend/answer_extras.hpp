#pragma once

#include "messages/agent.pb.h"

#include <string>

namespace turnstile {

/// Takes out of a JSON answer what it says beside the answer, and fills the
/// result with it: `_usage`, `_findings`, `_artifacts` and `_thread` of an
/// object. Returns the rest of the answer, compact.
///
///     {"_usage": {"input": 10, "output": 2, "cache_read": 0, "cache_write":
///     0},
///      "_findings": [{"kind": "bug", "severity": "high", "title": "...",
///                     "detail": "...", "location": {"file": "a.c", "line": 3},
///                     "evidence": ["..."], "data": {}}],
///      "_artifacts": [{"key": "report", "path": "out.md"}],
///      "_thread": "id of the conversation", "answer": 42}
///
/// Everything in them may be left out. An extra that is not as it should be
/// stays in the answer, so that nothing is lost.
std::string take_extras(std::string json, wire::AgentResult& result);

} // namespace turnstile
