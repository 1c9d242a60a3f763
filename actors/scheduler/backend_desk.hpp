#pragma once

#include "actors/interfaces.hpp"
#include "core/base/result.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace turnstile {

/// The backends that one scheduler may choose from, by name.
///
/// Invariant: every backend that is here, or was and has not ended, is watched
/// by one monitor, whatever names it had: what it executes goes on when it is
/// replaced or leaves, and must not be waited for when it is gone.
class backend_desk {
public:
  using on_name = std::function<void(const std::string&)>;
  using on_lost =
    std::function<void(const backend_actor&, const caf::error& why)>;

  /// When one of the backends is gone, calls `orphaned` for each of its names,
  /// and then `lost`.
  backend_desk(scheduler_actor::pointer self, on_name orphaned, on_lost lost)
    : self_(self), orphaned_(std::move(orphaned)), lost_(std::move(lost)) {}

  /// Adds a backend, or replaces the one of that name, and asks it what it is
  /// able to do.
  void join(const std::string& name, const backend_actor& backend,
            const gate_policy& policy);

  /// Takes a name away, or says that it is unknown.
  status leave(const std::string& name);

  /// Makes a name the default, whether it is known or not.
  void force_default(const std::string& name) { known_.default_name = name; }

  /// Makes a name the default, or says that it is unknown.
  status set_default(const std::string& name);

  /// Notes who has answered behind a name. An empty one is forgotten.
  void observe(const wire::ObservedBackend& who);

  /// Returns the name that `wanted` stands for: itself, or if it is empty the
  /// observed backend's if that is registered, or else the default, which may
  /// be empty (decision A12).
  [[nodiscard]] const std::string& meant(const std::string& wanted) const;

  /// Returns the backend of that name: `unknown_backend`, or `no_backend` if
  /// the name is empty.
  [[nodiscard]] result<backend_actor> find(const std::string& name) const;

  /// What is known of each; of its gate, only the policy.
  [[nodiscard]] wire::Backends look() const;

private:
  void lose(const backend_actor& backend, const caf::error& why);

  scheduler_actor::pointer self_;
  on_name orphaned_;
  on_lost lost_;
  backend_set known_;
  std::map<std::string, wire::BackendCapabilities> abilities_;
  std::optional<wire::ObservedBackend> observed_;
  std::map<caf::actor_addr, watch> watches_;
};

} // namespace turnstile
