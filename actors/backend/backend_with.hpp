#pragma once

#include "actors/backend.hpp"

namespace turnstile {

/// A handle to a backend that understands more than every backend does: its
/// own news, or questions that only tests ask. Becomes a `backend_actor` by
/// assignment.
template <class... More>
using backend_with = typed_actor<caf::result<wire::Completed>(wire::Execute),
                                 caf::result<wire::Quiet>(wire::CancelWork),
                                 caf::result<wire::BackendCapabilities>(
                                   wire::BackendCapabilitiesQuery),
                                 More...>;

} // namespace turnstile
