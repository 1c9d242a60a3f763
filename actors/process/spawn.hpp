#pragma once

#include "actors/process/process_spec.hpp"
#include "actors/process/start_failure.hpp"
#include "actors/process/unique_fd.hpp"

#include <sys/types.h>
#include <tl/expected.hpp>

namespace turnstile {

/// A child whose program runs, and our ends of its standard streams. The
/// caller reaps it.
struct spawned_child {
  pid_t pid = 0; ///< Also the id of its session and of its group.
  unique_fd input;
  unique_fd output;
  unique_fd log;
};

/// Starts a child and returns when its program runs or could not be run, so
/// that whoever signals its group finds it there. Its streams are pipes.
///
/// Uses vfork: the cost does not grow with our memory, and the calling thread
/// (only that one) waits for the exec, also when the program lies on a file
/// system that hangs. The child is killed when the calling thread ends.
tl::expected<spawned_child, start_failure> spawn(const process_spec& spec);

} // namespace turnstile
