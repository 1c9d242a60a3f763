#pragma once

#include "actors/backend/answers.hpp"
#include "actors/caf/caf.hpp"
#include "actors/interfaces.hpp"

#include <cstddef>

namespace turnstile::bench {

struct figures {
  double one = 0;  ///< Nanoseconds per round trip with one open.
  double many = 0; ///< Likewise, with `many_open` open.
};

constexpr int many_open = 64;
constexpr std::size_t bare_payload = 100;

/// Answers each work with its own bytes.
struct echo_backend {
  backend_actor::behavior_type make_behavior() {
    return {
      [](const wire::Execute& what) {
        return completed_with(what, what.payload());
      },
      [](const wire::CancelWork& which) { return quiet_about(which); },
      [](const wire::BackendCapabilitiesQuery&) {
        return wire::BackendCapabilities{};
      },
    };
  }
};

/// CAF's own requests to an actor of another process on another core, which
/// answers with the `bare_payload` bytes that it got.
figures bare_caf(int rounds);

} // namespace turnstile::bench
