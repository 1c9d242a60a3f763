#pragma once

#include "actors/caf/version.hpp"

#include <caf/error.hpp>
#include <caf/sec.hpp>
#include <google/protobuf/message_lite.h>

#include <concepts>
#include <string>

#if TURNSTILE_OLD_CAF
#include <caf/meta/load_callback.hpp>
#endif

// Lives where the base class of every generated message lives, because that is
// where argument-dependent lookup finds it, whatever the message's namespace.
namespace google::protobuf {

/// Lets CAF carry any generated message: as the object itself within a node
/// and as its Protobuf bytes between nodes. Bytes that do not parse load as
/// `sec::invalid_argument`, which names the message's type.
template <class Inspector, std::derived_from<MessageLite> Message>
auto inspect(Inspector& f, Message& message) {
  std::string bytes;
#if TURNSTILE_OLD_CAF
  if constexpr (Inspector::reads_state) {
    message.SerializeToString(&bytes);
    return f(bytes);
  } else {
    auto parse = [&]() -> caf::error {
      if (message.ParseFromString(bytes))
        return caf::none;
      return caf::make_error(caf::sec::invalid_argument, message.GetTypeName());
    };
    return f(bytes, caf::meta::load_callback(parse));
  }
#else
  if constexpr (Inspector::is_loading) {
    if (!f.apply(bytes))
      return false;
    if (message.ParseFromString(bytes))
      return true;
    f.emplace_error(caf::sec::invalid_argument, message.GetTypeName());
    return false;
  } else {
    message.SerializeToString(&bytes);
    return f.apply(bytes);
  }
#endif
}

} // namespace google::protobuf
