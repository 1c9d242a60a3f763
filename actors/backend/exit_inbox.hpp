#pragma once

#include "actors/backend/backend_with.hpp"
#include "actors/backend/submission_key.hpp"
#include "actors/caf/caf.hpp"
#include "actors/process/process_exit.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace turnstile {

/// A backend that is told that exits wait in its inbox.
using process_backend_actor = backend_with<caf::result<void>(exited_atom)>;

/// The end of one submission's child.
struct child_ended {
  submission_key key;
  process_exit exit;
};

/// Hands exits from the thread of a process host to a backend: the outputs
/// that they carry are no message, since they never leave the node.
///
/// Invariant: the host's thread never holds a handle. If it were the last one,
/// letting go of it would end the actor, and perhaps the host with it, on the
/// host's own thread. So the handle lies here, put in and taken out by the
/// actor, and mail is sent under the lock.
class exit_inbox {
public:
  /// Tells `whom` of exits from now on, and keeps it alive.
  void open(const process_backend_actor& whom) {
    std::lock_guard guard{mutex_};
    owner_ = whom;
  }

  /// Drops what comes from now on.
  void close() {
    process_backend_actor owner; // goes after the lock
    std::lock_guard guard{mutex_};
    std::swap(owner, owner_);
  }

  /// Adds an exit and tells the owner.
  void push(child_ended news) {
    std::lock_guard guard{mutex_};
    if (!owner_)
      return;
    news_.push_back(std::move(news));
    anon_mail(exited_atom_v).send(owner_);
  }

  /// Takes everything out, the oldest first.
  std::vector<child_ended> take() {
    std::lock_guard guard{mutex_};
    return std::exchange(news_, {});
  }

private:
  std::mutex mutex_;
  process_backend_actor owner_;
  std::vector<child_ended> news_;
};

} // namespace turnstile
