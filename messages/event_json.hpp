#pragma once

#include "core/base/result.hpp"
#include "messages/event.pb.h"

#include <string>
#include <string_view>

// The JSON form of events, one flat object each, whose other members depend on
// its tag `type`:
//
//   {"type":"agent_done","run_id":"0197...","number":7,
//    "ts":"2026-01-02T03:04:05.123456789Z","agent_id":"0197...",
//    "status":"Ok",...}
//
//   {"type":"agent_progress",...,"delta":{"kind":"message","text":"so far"}}
//
// It is `to_json` of json.hpp; what is there said of JSON holds here, too.

namespace turnstile {

/// Returns the tag of an event: "agent_done". Empty if it says nothing.
std::string event_type(const wire::Event& event);

/// Renders `event` on one line. What is absent is null.
std::string event_json(const wire::Event& event);

/// Reads what `event_json` writes, members in any order. What is not there
/// keeps its default, a time that of the epoch; but a `type` must be there, and
/// one that this schema does not know is refused by its name.
result<wire::Event> event_from_json(std::string_view text);

} // namespace turnstile
