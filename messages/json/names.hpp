#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <string_view>

namespace turnstile::detail {

/// Returns the JSON name of an enum's value: its own in lower case, without
/// the prefix that its type gives it: WORK_LIFECYCLE_QUEUED is "queued".
std::string json_name(const google::protobuf::EnumValueDescriptor& value);

/// Returns the value of `type` with this JSON name, or null.
const google::protobuf::EnumValueDescriptor*
value_of_json_name(const google::protobuf::EnumDescriptor& type,
                   std::string_view name);

/// The same two where the value is that of `field`. The statuses of agents in
/// events are written as the seed does: AGENT_STATUS_TIMED_OUT is "TimedOut".
std::string json_name(const google::protobuf::EnumValueDescriptor& value,
                      const google::protobuf::FieldDescriptor& field);
const google::protobuf::EnumValueDescriptor*
value_of_json_name(const google::protobuf::FieldDescriptor& field,
                   std::string_view name);

/// Whether a string field holds a JSON value as text, which is a value of its
/// own in JSON: its name ends with `_json`.
bool is_json_text(const google::protobuf::FieldDescriptor& field);

/// Whether a field is a time point, in nanoseconds since the Unix epoch, which
/// is a text for people in JSON: its name is `ts_ns`.
bool is_unix_time(const google::protobuf::FieldDescriptor& field);

/// Returns the JSON name of a field: the one that the schema gives it, if it
/// gives one, else its own, without `_json`.
std::string json_name(const google::protobuf::FieldDescriptor& field);

/// Returns the field of `type` with this JSON name, or null.
const google::protobuf::FieldDescriptor*
field_of_json_name(const google::protobuf::Descriptor& type,
                   std::string_view name);

/// Returns the one field that stands for a whole message of this type in JSON,
/// or null if the message is an object like most.
const google::protobuf::FieldDescriptor*
bare_field(const google::protobuf::Descriptor& type);

/// How a message that is one of several things is written: flat. The member
/// `name` says which alternative of `choice` it is, and the members of that
/// alternative, which is a message, stand beside the message's own.
struct json_tag {
  std::string_view name;
  const google::protobuf::OneofDescriptor* choice;
};

/// Returns the tag of a message that is written flat, or nothing if its
/// alternatives are members like all others.
std::optional<json_tag> tag_of(const google::protobuf::Descriptor& type);

} // namespace turnstile::detail
