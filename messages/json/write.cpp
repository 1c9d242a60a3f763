#include "messages/json.hpp"
#include "messages/json/base64.hpp"
#include "messages/json/cursor.hpp"
#include "messages/json/names.hpp"
#include "messages/json/string.hpp"
#include "messages/json/unix_time.hpp"

#include <charconv>
#include <cmath>
#include <map>

namespace turnstile {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;

std::string write_message(const Message& message);

// The shortest text that reads back as the same number. JSON has no word for
// what is not finite; Protobuf's own form writes these strings.
template <class Float>
std::string write_float(Float number) {
  if (std::isnan(number))
    return "\"NaN\"";
  if (std::isinf(number))
    return number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char buffer[64];
  auto end = std::to_chars(std::begin(buffer), std::end(buffer), number).ptr;
  return {std::begin(buffer), end};
}

std::string write_int64(const FieldDescriptor& field, std::int64_t number) {
  return detail::is_unix_time(field)
           ? detail::write_json_string(detail::to_rfc3339(number))
           : std::to_string(number);
}

std::string write_enum(const FieldDescriptor& field, int number) {
  const auto* value = field.enum_type()->FindValueByNumber(number);
  return value ? detail::write_json_string(detail::json_name(*value, field))
               : std::to_string(number);
}

// What should be JSON but is not can still be shown as a string.
std::string write_json_text(const std::string& text) {
  if (text.empty())
    return "null";
  std::string out;
  detail::json_cursor cursor{text};
  return cursor.take_value(out) && cursor.at_end()
           ? out
           : detail::write_json_string(text);
}

// Writes the value of `field`, or its element `index` if it is repeated.
std::string write_value(const Message& message, const FieldDescriptor& field,
                        int index) {
  const auto& its = *message.GetReflection();
  auto get = [&](auto one, auto of_many) {
    return field.is_repeated() ? (its.*of_many)(message, &field, index)
                               : (its.*one)(message, &field);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return std::to_string(get(&R::GetInt32, &R::GetRepeatedInt32));
  case FieldDescriptor::CPPTYPE_INT64:
    return write_int64(field, get(&R::GetInt64, &R::GetRepeatedInt64));
  case FieldDescriptor::CPPTYPE_UINT32:
    return std::to_string(get(&R::GetUInt32, &R::GetRepeatedUInt32));
  case FieldDescriptor::CPPTYPE_UINT64:
    return std::to_string(get(&R::GetUInt64, &R::GetRepeatedUInt64));
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return write_float(get(&R::GetDouble, &R::GetRepeatedDouble));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return write_float(get(&R::GetFloat, &R::GetRepeatedFloat));
  case FieldDescriptor::CPPTYPE_BOOL:
    return get(&R::GetBool, &R::GetRepeatedBool) ? "true" : "false";
  case FieldDescriptor::CPPTYPE_ENUM:
    return write_enum(field, get(&R::GetEnumValue, &R::GetRepeatedEnumValue));
  case FieldDescriptor::CPPTYPE_STRING: {
    auto text = get(&R::GetString, &R::GetRepeatedString);
    if (detail::is_json_text(field))
      return write_json_text(text);
    return detail::write_json_string(field.type() == FieldDescriptor::TYPE_BYTES
                                       ? detail::to_base64(text)
                                       : text);
  }
  case FieldDescriptor::CPPTYPE_MESSAGE:
    return write_message(field.is_repeated()
                           ? its.GetRepeatedMessage(message, &field, index)
                           : its.GetMessage(message, &field, nullptr));
  }
  return {};
}

std::string write_map(const Message& message, const FieldDescriptor& field) {
  const auto& its = *message.GetReflection();
  const auto& type = *field.message_type();
  std::map<std::string, std::string> entries; // Sorted, as a map is not.
  for (int i = 0; i < its.FieldSize(message, &field); ++i) {
    const auto& entry = its.GetRepeatedMessage(message, &field, i);
    auto key = write_value(entry, *type.map_key(), 0);
    if (!key.starts_with('"'))
      key = detail::write_json_string(key);
    entries[key] = write_value(entry, *type.map_value(), 0);
  }
  std::string out;
  for (const auto& [key, value] : entries)
    out.append(out.empty() ? "{" : ",").append(key).append(":").append(value);
  return out.empty() ? "{}" : out + '}';
}

std::string write_list(const Message& message, const FieldDescriptor& field) {
  std::string out;
  auto size = message.GetReflection()->FieldSize(message, &field);
  for (int i = 0; i < size; ++i)
    out.append(out.empty() ? "[" : ",").append(write_value(message, field, i));
  return out.empty() ? "[]" : out + ']';
}

std::string write_field(const Message& message, const FieldDescriptor& field) {
  if (field.is_map())
    return write_map(message, field);
  if (field.is_repeated())
    return write_list(message, field);
  if (field.has_presence()
      && !message.GetReflection()->HasField(message, &field))
    return "null";
  return write_value(message, field, 0);
}

void add_member(std::string& out, std::string_view name,
                const std::string& value) {
  out.append(out.empty() ? "{" : ",");
  out.append(detail::write_json_string(name) + ':' + value);
}

// Adds the members of a message, but for the alternatives of `choice`.
void add_members(std::string& out, const Message& message,
                 const OneofDescriptor* choice = nullptr) {
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i)
    if (const auto& field = *type.field(i);
        choice == nullptr || field.containing_oneof() != choice)
      add_member(out, detail::json_name(field), write_field(message, field));
}

void add_flat(std::string& out, const Message& message,
              const detail::json_tag& tag) {
  const auto& its = *message.GetReflection();
  const auto* chosen = its.GetOneofFieldDescriptor(message, tag.choice);
  add_member(out, tag.name,
             chosen ? detail::write_json_string(chosen->name()) : "null");
  add_members(out, message, tag.choice);
  if (chosen)
    add_members(out, its.GetMessage(message, chosen));
}

std::string write_message(const Message& message) {
  const auto& type = *message.GetDescriptor();
  if (const auto* bare = detail::bare_field(type))
    return write_field(message, *bare);
  std::string out;
  if (const auto tag = detail::tag_of(type))
    add_flat(out, message, *tag);
  else
    add_members(out, message);
  return out.empty() ? "{}" : out + '}';
}

} // namespace

std::string to_json(const google::protobuf::Message& message) {
  return write_message(message);
}

} // namespace turnstile
