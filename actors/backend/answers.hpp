#pragma once

#include "core/base/error.hpp"
#include "messages/backend.pb.h"
#include "messages/translate/failure.hpp"

#include <google/protobuf/message_lite.h>

#include <concepts>
#include <string>
#include <utility>

// What a backend says of one submission, which the message that it answers is
// about.

namespace turnstile {

/// Makes a message about the same submission as another one:
/// `about<wire::ParkWork>(what)` of an `Execute`.
template <class Out, class Message>
Out about(const Message& what) {
  Out out;
  *out.mutable_work_id() = what.work_id();
  out.set_submission(what.submission());
  return out;
}

/// Says of what a message is about that it ended with this outcome, which is
/// the program's outcome message or, as `bytes`, that message serialised.
template <class Message>
wire::Completed completed_with(const Message& what, std::string bytes) {
  auto out = about<wire::Completed>(what);
  out.set_outcome(std::move(bytes));
  return out;
}

template <class Message,
          std::derived_from<google::protobuf::MessageLite> Outcome>
wire::Completed completed_with(const Message& what, const Outcome& outcome) {
  return completed_with(what, outcome.SerializeAsString());
}

/// Says of what a message is about that it ended without an outcome.
template <class Message>
wire::Completed failed_with(const Message& what, const failure& why) {
  auto out = about<wire::Completed>(what);
  *out.mutable_failure() = to_wire(why);
  return out;
}

/// Says that nothing runs any more of what a message is about.
template <class Message>
wire::Quiet quiet_about(const Message& what) {
  return about<wire::Quiet>(what);
}

} // namespace turnstile
