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

/// Says of what a message is about that it ended with this outcome, which is
/// the program's outcome message or, as `bytes`, that message serialised.
template <class Message>
wire::Completed completed_with(const Message& about, std::string bytes) {
  wire::Completed out;
  *out.mutable_work_id() = about.work_id();
  out.set_submission(about.submission());
  out.set_outcome(std::move(bytes));
  return out;
}

template <class Message,
          std::derived_from<google::protobuf::MessageLite> Outcome>
wire::Completed completed_with(const Message& about, const Outcome& outcome) {
  return completed_with(about, outcome.SerializeAsString());
}

/// Says of what a message is about that it ended without an outcome.
template <class Message>
wire::Completed failed_with(const Message& about, const failure& why) {
  wire::Completed out;
  *out.mutable_work_id() = about.work_id();
  out.set_submission(about.submission());
  *out.mutable_failure() = to_wire(why);
  return out;
}

/// Says that nothing runs any more of what a message is about.
template <class Message>
wire::Quiet quiet_about(const Message& about) {
  wire::Quiet out;
  *out.mutable_work_id() = about.work_id();
  out.set_submission(about.submission());
  return out;
}

} // namespace turnstile
