#pragma once

#include "messages/translate/refusal.hpp"

#include <google/protobuf/generated_enum_reflection.h>

#include <string_view>

namespace turnstile {

/// Turns the number of a schema's enum into core's enum of the same numbers.
/// Zero means that the field is missing, since no schema of ours uses it.
/// @pre `CoreEnum` knows every number but zero that `WireEnum` knows: each
/// caller asserts that both end with the same one.
template <class CoreEnum, class WireEnum>
result<CoreEnum> from_numbered(WireEnum number, std::string_view field) {
  const auto* type = google::protobuf::GetEnumDescriptor<WireEnum>();
  if (number == WireEnum{0})
    return missing(field);
  if (!type->FindValueByNumber(number))
    return unknown_number(field, number, type->name());
  return static_cast<CoreEnum>(number);
}

} // namespace turnstile
