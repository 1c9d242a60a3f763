#include "messages/orders.hpp"

#include "messages/translate.hpp"

#include <utility>

namespace turnstile {

wire::RegisterRequest registration(request_id id, std::string state) {
  wire::RegisterRequest message;
  *message.mutable_request() = to_wire(id);
  if (!state.empty())
    message.set_state(std::move(state));
  return message;
}

failure why_not_committed(const wire::WorkEnded& ended) {
  if (ended.has_failure())
    return failure_in(ended.failure(), "WorkEnded.failure");
  switch (ended.drop_reason()) {
  case wire::DROP_REASON_EXPIRED:
    return {errc::deadline_exceeded, "its deadline passed before it ran"};
  case wire::DROP_REASON_CANCELLED:
    return {errc::cancelled, "it was cancelled before it ran"};
  case wire::DROP_REASON_WITH_REQUEST:
    return {errc::cancelled, "its request ended before it ran"};
  case wire::DROP_REASON_RELEASED:
    return {errc::cancelled, "it was not wanted any more while it ran"};
  case wire::DROP_REASON_RECLAIMED:
    return {errc::cancelled, "its backend never ended it"};
  default:
    return {errc::cancelled, "it was abandoned"};
  }
}

} // namespace turnstile
