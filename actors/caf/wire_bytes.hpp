#pragma once

#include "actors/caf/error.hpp"
#include "core/base/result.hpp"

#include <caf/actor_system.hpp>
#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

#include <string>
#include <utility>

#if TURNSTILE_OLD_CAF
#include <vector>
#else
#include <caf/byte_buffer.hpp>
#endif

namespace turnstile {

/// Returns the bytes as which CAF would send `value` to another node. For
/// tests: the two CAF versions write different bytes.
template <class T>
result<std::string> to_wire(caf::actor_system& system, T value) {
#if TURNSTILE_OLD_CAF
  std::vector<char> bytes;
  caf::binary_serializer sink{system, bytes};
  if (auto why = sink(value))
    return fail(to_failure(system, why));
  return std::string{bytes.begin(), bytes.end()};
#else
  caf::byte_buffer bytes;
  caf::binary_serializer sink{system, bytes};
  if (!sink.apply(value))
    return fail(to_failure(system, sink.get_error()));
  return std::string{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
#endif
}

/// Returns the value that CAF would receive as `bytes`, or why there is none.
template <class T>
result<T> from_wire(caf::actor_system& system, const std::string& bytes) {
  T value;
#if TURNSTILE_OLD_CAF
  caf::binary_deserializer source{system, bytes.data(), bytes.size()};
  if (auto why = source(value))
    return fail(to_failure(system, why));
#else
  auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  caf::binary_deserializer source{
    system, caf::span<const std::byte>{first, bytes.size()}};
  if (!source.apply(value))
    return fail(to_failure(system, source.get_error()));
#endif
  return value;
}

} // namespace turnstile
