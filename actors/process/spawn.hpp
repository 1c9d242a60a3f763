#pragma once

#include "actors/process/keeper/words.hpp"
#include "actors/process/process_spec.hpp"
#include "actors/process/start_failure.hpp"
#include "actors/process/unique_fd.hpp"

#include <sys/types.h>
#include <tl/expected.hpp>

namespace turnstile {

/// A child that its keeper is about to start, and our ends of its standard
/// streams and of the socket to its keeper. The caller reaps the keeper.
struct spawned_child {
  pid_t keeper = 0;
  unique_fd socket; ///< Tells `keeper::news`, takes `keeper::order`s.
  unique_fd input;
  unique_fd output;
  unique_fd log;
};

/// Starts a child's keeper, whose program is `image`; whether the child's own
/// program could be run is its first news. The child's streams are pipes.
///
/// Uses vfork: the cost does not grow with our memory, and the calling thread
/// (only that one) waits for the exec of the keeper, which is in memory.
tl::expected<spawned_child, start_failure> spawn(const process_spec& spec,
                                                 int image);

/// What a keeper's `not_started` means.
start_failure failure_in(const keeper::news& news, const process_spec& spec);

} // namespace turnstile
