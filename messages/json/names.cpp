#include "messages/json/names.hpp"

#include "messages/agent.pb.h"
#include "messages/event.pb.h"
#include "messages/scheduling.pb.h"

namespace turnstile::detail {

namespace {

bool is_upper(char c) noexcept {
  return 'A' <= c && c <= 'Z';
}

char upper(char c) noexcept {
  return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char lower(char c) noexcept {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

// "WorkLifecycle" gives "WORK_LIFECYCLE_".
std::string prefix_of(std::string_view type_name) {
  std::string prefix;
  for (char c : type_name) {
    if (is_upper(c) && !prefix.empty())
      prefix += '_';
    prefix += upper(c);
  }
  return prefix + '_';
}

// Where the seed writes an enum's value as its source names it.
bool wants_words(const google::protobuf::FieldDescriptor& field) {
  return field.enum_type() == wire::AgentStatus_descriptor()
         && field.file() == wire::Event::descriptor()->file();
}

// "timed_out" gives "TimedOut".
std::string to_words(std::string_view name) {
  std::string out;
  bool begins = true;
  for (char c : name) {
    if (c != '_')
      out += begins ? upper(c) : c;
    begins = c == '_';
  }
  return out;
}

template <class NameOf>
const google::protobuf::EnumValueDescriptor*
find_value(const google::protobuf::EnumDescriptor& type, std::string_view name,
           NameOf name_of) {
  for (int i = 0; i < type.value_count(); ++i)
    if (name_of(*type.value(i)) == name)
      return type.value(i);
  return nullptr;
}

} // namespace

std::string json_name(const google::protobuf::EnumValueDescriptor& value) {
  auto name = std::string_view{value.name()};
  auto prefix = prefix_of(value.type()->name());
  if (name.starts_with(prefix))
    name.remove_prefix(prefix.size());
  std::string out;
  for (char c : name)
    out += lower(c);
  return out;
}

const google::protobuf::EnumValueDescriptor*
value_of_json_name(const google::protobuf::EnumDescriptor& type,
                   std::string_view name) {
  return find_value(type, name,
                    [](const auto& value) { return json_name(value); });
}

std::string json_name(const google::protobuf::EnumValueDescriptor& value,
                      const google::protobuf::FieldDescriptor& field) {
  auto name = json_name(value);
  return wants_words(field) ? to_words(name) : name;
}

const google::protobuf::EnumValueDescriptor*
value_of_json_name(const google::protobuf::FieldDescriptor& field,
                   std::string_view name) {
  return find_value(*field.enum_type(), name,
                    [&](const auto& value) { return json_name(value, field); });
}

bool is_json_text(const google::protobuf::FieldDescriptor& field) {
  return field.type() == google::protobuf::FieldDescriptor::TYPE_STRING
         && std::string_view{field.name()}.ends_with("_json");
}

bool is_unix_time(const google::protobuf::FieldDescriptor& field) {
  return field.type() == google::protobuf::FieldDescriptor::TYPE_INT64
         && field.name() == "ts_ns";
}

std::string json_name(const google::protobuf::FieldDescriptor& field) {
  if (field.has_json_name())
    return std::string{field.json_name()};
  auto name = std::string{field.name()};
  if (is_json_text(field))
    name.resize(name.size() - std::string_view{"_json"}.size());
  return name;
}

const google::protobuf::FieldDescriptor*
field_of_json_name(const google::protobuf::Descriptor& type,
                   std::string_view name) {
  for (int i = 0; i < type.field_count(); ++i)
    if (json_name(*type.field(i)) == name)
      return type.field(i);
  return nullptr;
}

const google::protobuf::FieldDescriptor*
bare_field(const google::protobuf::Descriptor& type) {
  return &type == wire::RequestId::descriptor() ? type.field(0) : nullptr;
}

std::optional<json_tag> tag_of(const google::protobuf::Descriptor& type) {
  if (&type == wire::Event::descriptor())
    return json_tag{"type", type.oneof_decl(0)};
  if (&type == wire::AgentDelta::descriptor())
    return json_tag{"kind", type.oneof_decl(0)};
  return std::nullopt;
}

} // namespace turnstile::detail
