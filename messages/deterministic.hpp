#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

namespace turnstile {

/// Serialises a message so that equal ones of this program give equal bytes,
/// whatever the order in which their maps were filled.
std::string deterministic_bytes(const google::protobuf::MessageLite& message);

} // namespace turnstile
