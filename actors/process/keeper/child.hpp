#pragma once

#include "actors/process/keeper/words.hpp"

#include <sys/types.h>

namespace turnstile::keeper {

/// Starts the child that a keeper's arguments describe and gives our standard
/// streams up to it. Returns when its program runs, or false with the reason
/// in `failed`.
///
/// The child leads a session and a group of its own, has every signal as in a
/// fresh process, no other descriptor of ours, and is killed if we are.
bool start_child(char** argv, pid_t& child, news& failed);

} // namespace turnstile::keeper
