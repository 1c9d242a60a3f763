#pragma once

#include <google/protobuf/descriptor.h>

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

/// Whether a string field holds a JSON value as text, which is a value of its
/// own in JSON: its name ends with `_json`.
bool is_json_text(const google::protobuf::FieldDescriptor& field);

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

} // namespace turnstile::detail
