#pragma once

#include "actors/interfaces.hpp"
#include "messages/explain.pb.h"
#include "tests/actors/asking.hpp"

#include <string>

namespace turnstile::testing {

/// An explanation as its cause, what holds the work, and what would free it:
/// `"SLOTS: all slots are in use (max_in_flight_global 1): a => the end of
/// ..."`
inline std::string text(const wire::Explanation& it) {
  const auto cause = wire::HoldCause_Name(it.cause()).substr(11);
  return cause + ": " + it.text() + " => " + it.frees()
         + (it.so_far().empty() ? "" : " [" + it.so_far() + "]");
}

inline std::string text_of_explanation(const pending<wire::Explanation>& one) {
  return text_of(one, [](const auto& it) { return text(it); });
}

/// Asks why a task of that request does not go on.
template <class World>
std::string explain(World& still, const scheduler_actor& scheduler,
                    std::uint64_t request, const std::string& name) {
  wire::ExplainQuery query;
  query.mutable_work_id()->mutable_request()->set_value(request);
  query.set_name(name);
  auto answer = new_pending<wire::Explanation>();
  spawn_asker<wire::Explanation>(still.system(), asks(scheduler, query),
                                 noting<wire::Explanation>(answer));
  still.settle();
  return text_of_explanation(answer);
}

} // namespace turnstile::testing
