#pragma once

#include "config/plan/plan.hpp"
#include "core/base/result.hpp"
#include "messages/plan.pb.h"

#include <string>

namespace turnstile::node {

/// A plan as a journal keeps it.
wire::StoredPlan to_stored(const config::plan& plan);

/// The way back. What a newer program has written is refused if this one
/// cannot run it.
result<config::plan> from_stored(const wire::StoredPlan& stored);

/// Changes with everything about a backend that its answers may depend on:
/// what it runs, but not how often at a time.
std::string version_of(const config::backend_settings& backend);

} // namespace turnstile::node
