#pragma once

#include "actors/interfaces.hpp"
#include "core/base/result.hpp"

#include <functional>
#include <map>
#include <string>

namespace turnstile {

/// The backends that one scheduler may choose from, by name.
///
/// Invariant: every backend that is here, or was and has not ended, is watched
/// by one monitor, whatever names it had: what it executes goes on when it is
/// replaced or leaves, and must not be waited for when it is gone.
class backend_desk {
public:
  using on_lost =
    std::function<void(const backend_actor&, const caf::error& why)>;

  /// Calls `lost` when one of the backends is gone.
  backend_desk(scheduler_actor::pointer self, on_lost lost)
    : self_(self), lost_(std::move(lost)) {}

  /// Takes over a whole set and its default.
  void take(const backend_set& all);

  /// Adds a backend, or replaces the one of that name.
  void join(const std::string& name, const backend_actor& backend);

  /// Takes a name away, or says that it is unknown.
  status leave(const std::string& name);

  /// Returns the name that `wanted` stands for: itself, or the default if it
  /// is empty. May be empty.
  [[nodiscard]] const std::string& meant(const std::string& wanted) const;

  /// Returns the backend of that name: `unknown_backend`, or `no_backend` if
  /// the name is empty.
  [[nodiscard]] result<backend_actor> find(const std::string& name) const;

private:
  void lose(const backend_actor& backend, const caf::error& why);

  scheduler_actor::pointer self_;
  on_lost lost_;
  backend_set known_;
  std::map<caf::actor_addr, watch> watches_;
};

} // namespace turnstile
