#pragma once

#include "actors/log/log_line.hpp"
#include "messages/agent.pb.h"

#include <cstdint>
#include <string_view>

namespace turnstile {

/// Logs an event on a task's path. Every such line begins with the same keys:
/// run, task, phase, model (empty if the plan names none) and attempt (from 1;
/// 0 before the first). `fill` adds what belongs to the event. The events are
/// listed in actors/log/README.md.
template <std::invocable<log_line&> Fill>
void log_task(spdlog::level::level_enum level, std::string_view event,
              const wire::AgentTask& task, std::uint32_t attempt, Fill fill) {
  log_event(level, event, [&](log_line& line) {
    line("run", task.run_id())("task", task.name())("phase", task.phase_id());
    line("model", task.model())("attempt", attempt);
    fill(line);
  });
}

inline void log_task(spdlog::level::level_enum level, std::string_view event,
                     const wire::AgentTask& task, std::uint32_t attempt) {
  log_task(level, event, task, attempt, [](log_line&) {});
}

} // namespace turnstile
