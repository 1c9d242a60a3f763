#pragma once

#include "actors/backend.hpp"
#include "core/base/ids.hpp"
#include "messages/translate/failure.hpp"
#include "messages/translate/ids.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace turnstile {

/// One try of one work: what every sentence between a scheduler and a backend
/// is about.
struct submission_key {
  work_id work;
  std::uint32_t submission = 1;
  friend auto operator<=>(const submission_key&,
                          const submission_key&) = default;
};

/// Reads whom a message is about. Fails if it names no work.
template <class Message>
result<submission_key> key_of(const Message& message, std::string_view field) {
  auto work = from_wire(message.work_id(), field);
  if (!work)
    return fail(work.error());
  return submission_key{*work, message.submission()};
}

/// Says of what a message is about that it ended with `bytes`.
template <class Message>
wire::Completed completed_with(const Message& about, std::string bytes) {
  wire::Completed out;
  *out.mutable_work_id() = about.work_id();
  out.set_submission(about.submission());
  out.set_outcome(std::move(bytes));
  return out;
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
