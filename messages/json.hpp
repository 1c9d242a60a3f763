#pragma once

#include "core/base/result.hpp"

#include <google/protobuf/message.h>

#include <string>
#include <string_view>
#include <vector>

// The JSON form of every message, ours and the programs'. It differs from
// Protobuf's own in what people and the seed expect:
//
//   {"request": 7, "sequence": 2, "life": 1}    a RequestId is its number
//   {"status": "deadline_exceeded"}             enums without their prefix
//   {"queued_work": 18446744073709551615}       64 bits are numbers
//   {"last_cancellation_to_release_ns": null}   absence is written
//   {"observed_backends": {"a": true}}          maps are objects, sorted
//   {"payload": "AAEC"}                         bytes are base64
//   {"data": {"a": 1}}                          data_json, which holds JSON
//   {"ts": "1970-01-01T00:00:00.000000000Z"}    ts_ns, a time point
//   {"type": "gap", "first": 1, "last": 2}      events are flat: event_json.hpp
//
// Field names are those of the schema, in its order, or those that it says.

namespace turnstile {

/// Renders `message` on one line, without spaces. The same message always
/// gives the same text. An enum's number that this schema does not know is
/// written as a number. What is not UTF-8 in a string is written as U+FFFD.
std::string to_json(const google::protobuf::Message& message);

/// Reads what `to_json` writes, with any white space. A field that is not
/// there keeps its default: older texts lack newer fields. A field that the
/// schema does not have, one that comes twice, and a value that does not fit
/// are refused with `errc::invalid_argument`, naming the field and the byte:
/// "WorkEnded.lifecycle: \"lost\" is no WorkLifecycle (byte 14)".
/// `message` is unchanged on failure.
status from_json(std::string_view text, google::protobuf::Message& message);

/// Returns any JSON value without the white space between its tokens; numbers
/// and strings stay as they are written, keys in their order. What is no JSON,
/// or nested more than 256 deep, is refused, naming the byte.
result<std::string> compact_json(std::string_view text);

/// One member of a JSON object.
struct json_member {
  std::string name;
  std::string value; ///< Compact JSON.
};

/// Returns the members of a JSON object in their order, or why it is none.
result<std::vector<json_member>> json_members(std::string_view text);

/// Returns the object of these members, compact.
std::string json_object(const std::vector<json_member>& members);

} // namespace turnstile
