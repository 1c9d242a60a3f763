#pragma once

#include "messages/journal.pb.h"

namespace turnstile::testing {

/// The work that a fact is about, or null: it is about none.
inline const wire::WorkId* work_of(const wire::Fact& fact) {
  switch (fact.kind_case()) {
  case wire::Fact::kAccepted:
    return &fact.accepted().work_id();
  case wire::Fact::kStarted:
    return &fact.started().work_id();
  case wire::Fact::kWaits:
    return &fact.waits().work_id();
  case wire::Fact::kEnded:
    return &fact.ended().work_id();
  default:
    return nullptr;
  }
}

} // namespace turnstile::testing
