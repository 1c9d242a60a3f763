#pragma once

#include "messages/agent.pb.h"
#include "messages/backend.pb.h"
#include "messages/door.pb.h"
#include "messages/event.pb.h"
#include "messages/run.pb.h"
#include "messages/scheduling.pb.h"

#include <google/protobuf/message.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace turnstile::testing {

/// What to put into every field of a message.
enum class filling {
  nothing, ///< Absent, empty, zero.
  least,   ///< Present, but empty or the least number.
  most,    ///< Text that needs escapes, any byte, the greatest number.
};

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using namespace std::string_literals;

void fill(Message& message, filling what);

/// Sets `field` of `message`, or adds to it if it is repeated.
inline void fill_field(Message& message, const FieldDescriptor& field,
                       filling what) {
  const auto& its = *message.GetReflection();
  using R = google::protobuf::Reflection;
  auto put = [&](auto value, auto set, auto add) {
    if (field.is_repeated())
      (its.*add)(&message, &field, std::move(value));
    else
      (its.*set)(&message, &field, std::move(value));
  };
  auto number = [&](auto zero, auto set, auto add) {
    using bounds = std::numeric_limits<decltype(zero)>;
    put(what == filling::most ? bounds::max() : bounds::min(), set, add);
  };
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return number(std::int32_t{}, &R::SetInt32, &R::AddInt32);
  case FieldDescriptor::CPPTYPE_INT64:
    return number(std::int64_t{}, &R::SetInt64, &R::AddInt64);
  case FieldDescriptor::CPPTYPE_UINT32:
    return number(std::uint32_t{}, &R::SetUInt32, &R::AddUInt32);
  case FieldDescriptor::CPPTYPE_UINT64:
    return number(std::uint64_t{}, &R::SetUInt64, &R::AddUInt64);
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return number(double{}, &R::SetDouble, &R::AddDouble);
  case FieldDescriptor::CPPTYPE_FLOAT:
    return number(float{}, &R::SetFloat, &R::AddFloat);
  case FieldDescriptor::CPPTYPE_BOOL:
    return put(what == filling::most, &R::SetBool, &R::AddBool);
  case FieldDescriptor::CPPTYPE_ENUM: {
    auto last = field.enum_type()->value_count() - 1;
    const auto* value =
      field.enum_type()->value(what == filling::most ? last : 0);
    return put(value->number(), &R::SetEnumValue, &R::AddEnumValue);
  }
  case FieldDescriptor::CPPTYPE_STRING: {
    std::string text;
    if (field.name().ends_with("_json"))
      text = what == filling::most ? R"({"a":[1e400,{"b":"\\u0000"}],"a":null})"
                                   : "0";
    else if (what == filling::most
             && field.type() == FieldDescriptor::TYPE_STRING)
      text = "\0\x1f \"a\" \\ / \n\r\t\b\f\x7f "
             "caf\u00e9 \u2028 \U0001F600"s;
    else if (what == filling::most)
      for (int byte = 0; byte < 256; ++byte)
        text += static_cast<char>(byte);
    return put(text, &R::SetString, &R::AddString);
  }
  case FieldDescriptor::CPPTYPE_MESSAGE:
    return fill(field.is_repeated() ? *its.AddMessage(&message, &field)
                                    : *its.MutableMessage(&message, &field),
                what);
  }
}

/// Fills every field; of a choice, the last one stays. Lists get two elements,
/// maps one.
/// @pre no message contains itself
inline void fill(Message& message, filling what) {
  if (what == filling::nothing)
    return;
  const auto& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    fill_field(message, field, what);
    if (field.is_repeated() && !field.is_map())
      fill_field(message, field, what);
  }
}

/// Returns one empty message of every type in our schemas.
inline std::vector<std::unique_ptr<Message>> every_message() {
  std::vector<std::unique_ptr<Message>> out;
  for (const auto* file : {wire::WorkId::descriptor()->file(),
                           wire::SubmitWork::descriptor()->file(),
                           wire::Execute::descriptor()->file(),
                           wire::AgentTask::descriptor()->file(),
                           wire::RunState::descriptor()->file(),
                           wire::Event::descriptor()->file()})
    for (int i = 0; i < file->message_type_count(); ++i)
      out.emplace_back(google::protobuf::MessageFactory::generated_factory()
                         ->GetPrototype(file->message_type(i))
                         ->New());
  return out;
}

} // namespace turnstile::testing
