#pragma once

#include "actors/caf/type_ids.hpp"
#include "core/base/error.hpp"

#include <caf/error.hpp>
#include <caf/fwd.hpp>

#include <string>

namespace turnstile {

/// Packs a failure into the error that CAF carries: its code is the error's
/// code, its sentence the error's context.
caf::error to_error(const failure& why);

/// Unpacks an error. One of ours comes back as it was packed; anything that
/// CAF itself reports becomes
///   * `deadline_exceeded` if a request ran into its timeout,
///   * `invalid_argument` if the receiver has no such message or interface,
///   * `backend_lost` otherwise: the actor, its node or the way to it is gone.
///     So does the empty error that a monitor reports when an actor ended
///     normally.
/// with CAF's own text as the sentence.
failure to_failure(const caf::actor_system& system, const caf::error& why);

/// Renders `why` for people: ours as `"capacity: max_queued_work 256 is
/// reached"`, others as this version of CAF puts them.
std::string render(const caf::actor_system& system, const caf::error& why);

} // namespace turnstile
