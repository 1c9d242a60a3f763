#include "messages/json/scalar.hpp"

#include "messages/json/base64.hpp"
#include "messages/json/names.hpp"
#include "messages/json/unix_time.hpp"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace turnstile::detail {

namespace {

using google::protobuf::FieldDescriptor;

// Every reader leaves the cursor at the token that it refuses.

template <std::integral Number>
result<Number> read_number(json_cursor& cursor) {
  using bounds = std::numeric_limits<Number>;
  auto begin = cursor;
  Number number = 0;
  if (auto text = cursor.take_number()) {
    auto end = text->data() + text->size();
    auto [stop, error] = std::from_chars(text->data(), end, number);
    if (error == std::errc{} && stop == end)
      return number;
  }
  cursor = begin;
  return cursor.refuse("a whole number from " + std::to_string(bounds::min())
                       + " to " + std::to_string(bounds::max()) + " is wanted");
}

template <std::floating_point Number>
result<Number> read_number(json_cursor& cursor) {
  using bounds = std::numeric_limits<Number>;
  if (cursor.take("\"NaN\""))
    return bounds::quiet_NaN();
  if (cursor.take("\"Infinity\""))
    return bounds::infinity();
  if (cursor.take("\"-Infinity\""))
    return -bounds::infinity();
  auto begin = cursor;
  Number number = 0;
  if (auto text = cursor.take_number()) {
    auto end = text->data() + text->size();
    if (std::from_chars(text->data(), end, number).ec == std::errc{})
      return number;
  }
  cursor = begin;
  return cursor.refuse("a number is wanted that fits");
}

result<bool> read_bool(json_cursor& cursor) {
  if (cursor.take("true"))
    return true;
  if (cursor.take("false"))
    return false;
  return cursor.refuse("true or false is wanted");
}

result<std::int64_t> read_unix_time(json_cursor& cursor) {
  auto begin = cursor;
  auto text = cursor.take_string();
  if (!text)
    return fail(text.error());
  if (auto time = from_rfc3339(*text))
    return *time;
  cursor = begin;
  return cursor.refuse(
    "a time like \"2026-01-02T03:04:05.123456789Z\" is wanted");
}

result<int> read_enum(json_cursor& cursor, const FieldDescriptor& field) {
  auto begin = cursor;
  auto name = cursor.take_string();
  if (!name)
    return fail(name.error());
  if (const auto* value = value_of_json_name(field, *name))
    return value->number();
  cursor = begin;
  return cursor.refuse('"' + *name + "\" is no "
                       + std::string{field.enum_type()->name()});
}

result<std::string> read_bytes(json_cursor& cursor) {
  auto begin = cursor;
  auto text = cursor.take_string();
  if (!text)
    return text;
  if (auto bytes = from_base64(*text))
    return std::move(*bytes);
  cursor = begin;
  return cursor.refuse("base64 is wanted");
}

} // namespace

status read_scalar(json_cursor& cursor, google::protobuf::Message& message,
                   const FieldDescriptor& field) {
  cursor.skip_space();
  const auto& its = *message.GetReflection();
  auto put = [&](auto value, auto set, auto add) -> status {
    if (!value)
      return fail(value.error());
    if (field.is_repeated())
      (its.*add)(&message, &field, std::move(*value));
    else
      (its.*set)(&message, &field, std::move(*value));
    return {};
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return put(read_number<std::int32_t>(cursor), &R::SetInt32, &R::AddInt32);
  case FieldDescriptor::CPPTYPE_INT64:
    return put(is_unix_time(field) ? read_unix_time(cursor)
                                   : read_number<std::int64_t>(cursor),
               &R::SetInt64, &R::AddInt64);
  case FieldDescriptor::CPPTYPE_UINT32:
    return put(read_number<std::uint32_t>(cursor), &R::SetUInt32,
               &R::AddUInt32);
  case FieldDescriptor::CPPTYPE_UINT64:
    return put(read_number<std::uint64_t>(cursor), &R::SetUInt64,
               &R::AddUInt64);
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return put(read_number<double>(cursor), &R::SetDouble, &R::AddDouble);
  case FieldDescriptor::CPPTYPE_FLOAT:
    return put(read_number<float>(cursor), &R::SetFloat, &R::AddFloat);
  case FieldDescriptor::CPPTYPE_BOOL:
    return put(read_bool(cursor), &R::SetBool, &R::AddBool);
  case FieldDescriptor::CPPTYPE_ENUM:
    return put(read_enum(cursor, field), &R::SetEnumValue, &R::AddEnumValue);
  case FieldDescriptor::CPPTYPE_STRING:
    return put(field.type() == FieldDescriptor::TYPE_BYTES
                 ? read_bytes(cursor)
                 : cursor.take_string(),
               &R::SetString, &R::AddString);
  case FieldDescriptor::CPPTYPE_MESSAGE:
    break;
  }
  return cursor.refuse("this is no scalar");
}

} // namespace turnstile::detail
