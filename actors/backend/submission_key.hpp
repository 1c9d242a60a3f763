#pragma once

#include "core/base/ids.hpp"
#include "messages/translate/ids.hpp"

#include <compare>
#include <cstdint>
#include <string_view>

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

} // namespace turnstile
