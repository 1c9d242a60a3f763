#pragma once

#include "actors/type_ids.hpp"
#include "core/attempt/backend_gate.hpp"

#include <map>
#include <string>

namespace turnstile {

/// One way to execute works: a process, a model behind HTTP, the user's own.
using backend_actor = typed_actor<
  /// Executes one submission and answers at its exact completion, when nothing
  /// of it runs any more. A failed execution is answered with a `failure` in
  /// the message; an error of CAF's means that the backend itself is gone.
  caf::result<wire::Completed>(wire::Execute),
  /// Stops one submission. Answered when nothing of it runs any more, also if
  /// it is unknown; the `Execute` is answered besides, before this.
  caf::result<wire::Quiet>(wire::CancelWork),
  /// Says what it is able to do.
  caf::result<wire::BackendCapabilities>(wire::BackendCapabilitiesQuery)>;

/// The backends of one scheduler, by name.
struct backend_set {
  std::map<std::string, backend_actor, std::less<>> by_name;

  /// How much they may be given to do; of those that are not here, the
  /// defaults are true.
  std::map<std::string, gate_policy, std::less<>> gates;

  /// Which one executes works that name none. Empty: none does.
  std::string default_name;

  /// Adds a backend, or replaces the one of that name. The first one becomes
  /// the default.
  void add(std::string name, backend_actor backend,
           const gate_policy& gate = {}) {
    if (by_name.empty())
      default_name = name;
    gates.insert_or_assign(name, gate);
    by_name.insert_or_assign(std::move(name), std::move(backend));
  }
};

} // namespace turnstile
