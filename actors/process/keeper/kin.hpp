#pragma once

#include <sys/types.h>

namespace turnstile::keeper {

/// Calls `visit(context, pid)` for each living or unreaped child of process
/// `parent`, which is a process of ours; 0 is ourselves.
void each_child(pid_t parent, void (*visit)(void*, pid_t), void* context);

/// Kills our own children. None of their ids can be a stranger's, because
/// nobody else reaps them.
void kill_children();

/// Sends `signal` to all descendants of `child`, a child of ours, that are not
/// in the group it leads, as what runs below timeout(1) or a daemon is.
void signal_stray_descendants(pid_t child, int signal);

} // namespace turnstile::keeper
