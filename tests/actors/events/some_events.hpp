#pragma once

#include "messages/event_json.hpp"

#include <string>

// Words for tests about the events of one run "r".

namespace event_tests {

using namespace turnstile;

inline wire::Event started(const std::string& run_id = "r") {
  wire::Event event;
  event.set_run_id(run_id);
  event.mutable_run_started()->set_task("survey");
  return event;
}

inline wire::Event line(const std::string& msg,
                        const std::string& run_id = "r") {
  wire::Event event;
  event.set_run_id(run_id);
  event.mutable_log()->set_msg(msg);
  return event;
}

inline wire::Event agent_done(const std::string& id,
                              const std::string& run_id = "r") {
  wire::Event event;
  event.set_run_id(run_id);
  auto& done = *event.mutable_agent_done();
  done.set_agent_id(id);
  done.set_status(wire::AGENT_STATUS_OK);
  done.set_output_json("\"" + std::string(100, 'o') + "\"");
  done.add_findings()->set_title("a finding");
  done.set_prompt("Read all of it.");
  done.set_backend("mock");
  return event;
}

inline wire::Event run_done(wire::RunStatus status = wire::RUN_STATUS_COMPLETED,
                            const std::string& run_id = "r") {
  wire::Event event;
  event.set_run_id(run_id);
  event.mutable_run_done()->set_status(status);
  return event;
}

/// Renders an event as `"3 agent_done a"`, a lean one as `"3 agent_done a-"`
/// and a gap as `"[1,2]"`.
inline std::string text(const wire::Event& event) {
  if (event.has_gap())
    return '[' + std::to_string(event.gap().first()) + ','
           + std::to_string(event.gap().last()) + ']';
  auto said = std::to_string(event.number()) + ' ' + event_type(event);
  if (event.has_log())
    said += ' ' + event.log().msg();
  if (event.has_agent_done())
    said += ' ' + event.agent_done().agent_id()
            + (event.agent_done().trimmed() ? "-" : "");
  return said;
}

/// Renders a batch as `"1 run_started; 2 log a; next 3"`.
inline std::string text(const wire::EventBatch& batch) {
  std::string said;
  for (const auto& event : batch.events())
    said += text(event) + "; ";
  return said + "next " + std::to_string(batch.next())
         + (batch.ended() ? ", ended" : "");
}

} // namespace event_tests
