#pragma once

#include "core/base/result.hpp"
#include "messages/json/cursor.hpp"

#include <google/protobuf/message.h>

namespace turnstile::detail {

/// Reads one value that is no message into `field` of `message`, or adds it if
/// the field is repeated. A value of the wrong kind, or one that does not fit,
/// is refused; then neither `cursor` nor `message` is changed.
status read_scalar(json_cursor& cursor, google::protobuf::Message& message,
                   const google::protobuf::FieldDescriptor& field);

} // namespace turnstile::detail
