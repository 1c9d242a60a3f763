#pragma once

#include "core/base/result.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace turnstile {

namespace detail {

/// The sentences of an interface, as CAF compares them between nodes.
using interface_text = std::set<std::string>;

void register_network_types();

result<std::uint16_t> publish(caf::actor_system& system,
                              caf::strong_actor_ptr whom,
                              interface_text interface, std::uint16_t port,
                              const std::string& address);

result<caf::strong_actor_ptr> connect(caf::actor_system& system,
                                      const interface_text& interface,
                                      const std::string& host,
                                      std::uint16_t port,
                                      std::chrono::milliseconds patience);

} // namespace detail

/// Loads CAF's I/O module into a configuration; see `config::use_network()`.
void use_network(caf::actor_system_config& config);

/// Lets other nodes connect to `whom` at `port` (0: any free one) of the local
/// `address`. There is no authentication: stay on the loopback, or use TLS.
/// Blocks. @returns the port
template <class Handle>
result<std::uint16_t> publish(caf::actor_system& system, const Handle& whom,
                              std::uint16_t port,
                              const std::string& address = "127.0.0.1") {
  return detail::publish(system, caf::actor_cast<caf::strong_actor_ptr>(whom),
                         system.message_types<Handle>(), port, address);
}

/// Connects to the actor that `host` publishes at `port`. Blocks for at most
/// `patience`: never call it in an actor's handler. After a lost connection the
/// new handle compares equal to the old one, but only the new one works.
/// @returns `backend_lost` if nobody answers there, `invalid_argument` if the
///          actor there has another interface, `deadline_exceeded` if it hangs
template <class Handle>
result<Handle>
connect(caf::actor_system& system, const std::string& host, std::uint16_t port,
        std::chrono::milliseconds patience = std::chrono::seconds{10}) {
  auto found = detail::connect(system, system.message_types<Handle>(), host,
                               port, patience);
  if (!found)
    return fail(std::move(found.error()));
  return caf::actor_cast<Handle>(std::move(*found));
}

} // namespace turnstile
