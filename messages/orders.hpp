#pragma once

#include "core/base/ids.hpp"
#include "core/base/result.hpp"
#include "messages/backend.pb.h"
#include "messages/door.pb.h"

#include <string>
#include <string_view>

// A program's own messages go in and out of ours as bytes; these functions put
// them in and take them out. `M` is any Protobuf message.

namespace turnstile {

/// Asks for request `id` to be registered with `state`, encoded; empty is the
/// program's initial one.
wire::RegisterRequest registration(request_id id, std::string state = {});

/// Asks for one transition.
template <class M>
wire::SubmitWork order(const M& work) {
  wire::SubmitWork message;
  work.SerializeToString(message.mutable_work()->mutable_payload());
  return message;
}

/// Asks for several transitions, all or none, in this order.
template <class Works>
wire::SubmitBatch orders(const Works& works) {
  wire::SubmitBatch message;
  for (const auto& work : works)
    work.SerializeToString(message.add_works()->mutable_payload());
  return message;
}

/// Why a work that has ended is not committed. @pre it is not
failure why_not_committed(const wire::WorkEnded& ended);

namespace detail {

/// Reads `bytes`, or refuses them by the name of the field they were in.
template <class M>
result<M> read_message(std::string_view bytes, const char* field) {
  M message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return fail(errc::invalid_argument,
                std::string{field} + " is no " + message.GetTypeName());
  return message;
}

} // namespace detail

/// What a committed work has published, or why it is not committed.
template <class M>
result<M> outcome_in(const wire::WorkEnded& ended) {
  if (ended.lifecycle() != wire::WORK_LIFECYCLE_COMMITTED)
    return fail(why_not_committed(ended));
  return detail::read_message<M>(ended.outcome(), "WorkEnded.outcome");
}

/// What a backend is asked to execute.
template <class M>
result<M> work_in(const wire::Execute& what) {
  return detail::read_message<M>(what.payload(), "Execute.payload");
}

} // namespace turnstile
