#pragma once

#include "actors/backend.hpp"
#include "actors/process/process_host.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace turnstile {

/// How a process backend runs the children of its agent tasks.
struct process_backend_settings {
  std::string name;
  std::vector<std::string> command; ///< Program and arguments; not empty.
  process_environment env;          ///< For every child; a task's own win.
  std::size_t max_output = std::size_t{1} << 20; ///< Bytes kept of stdout.
  duration grace = std::chrono::seconds{5};      ///< From TERM to KILL.
};

/// Spawns a backend that runs one child per attempt of an agent task: the
/// prompt on its standard input, its standard output as the answer. An attempt
/// is answered when nothing of its child's group runs any more. All children
/// of the backend are killed when its actor ends.
///
/// `host` serves any number of backends with one thread.
backend_actor spawn_process_backend(caf::actor_system& system,
                                    std::shared_ptr<process_host> host,
                                    process_backend_settings settings);

} // namespace turnstile
