#pragma once

#include "actors/caf/error.hpp"
#include "actors/caf/mail.hpp"
#include "core/base/result.hpp"

#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/actor_control_block.hpp>
#include <caf/actor_system.hpp>
#include <caf/node_id.hpp>

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

void unpublish(caf::actor_system& system, const caf::actor_addr& whom,
               std::uint16_t port);

/// The actor that connects, or nothing if the network is not in use.
caf::actor network_door(caf::actor_system& system);

/// What was found, if it is what was wanted.
result<caf::strong_actor_ptr> checked(caf::actor_system& system,
                                      caf::strong_actor_ptr whom,
                                      const interface_text& theirs,
                                      const interface_text& wanted);

} // namespace detail

/// How nodes talk to each other.
struct network_terms {
  /// So often CAF says that it is there, and so long a silence ends a
  /// connection.
  std::chrono::milliseconds heartbeat{1000};
  std::chrono::milliseconds patience{5000};

  /// PEM files. With them, connections are encrypted, and only peers with a
  /// certificate of the same authority are let in (mutual TLS).
  std::string certificate;
  std::string key;
  std::string authority;

  [[nodiscard]] bool encrypted() const noexcept { return !certificate.empty(); }
};

/// Loads CAF's I/O module into a configuration; see `config::use_network()`.
void use_network(caf::actor_system_config& config, const network_terms& terms);

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

/// Lets nobody connect to `whom` at `port` any more. Blocks.
template <class Handle>
void unpublish(caf::actor_system& system, const Handle& whom,
               std::uint16_t port) {
  detail::unpublish(system, caf::actor_cast<caf::actor_addr>(whom), port);
}

/// The same from inside an actor, which goes on meanwhile: calls
/// `done(result<Handle>)` once, in its context.
template <class Handle, class Self, class Done>
void connect_then(Self* self, const std::string& host, std::uint16_t port,
                  std::chrono::milliseconds patience, Done done) {
  auto& system = self->system();
  const auto door = detail::network_door(system);
  if (!door)
    return done(fail(errc::invalid_argument, "the network is not in use"));
  mail(self, caf::connect_atom_v, host, port)
    .request(door, patience)
    .then(
      [self, done](const caf::node_id&, const caf::strong_actor_ptr& whom,
                   const detail::interface_text& theirs) {
        auto& mine = self->system();
        auto found = detail::checked(mine, whom, theirs,
                                     mine.template message_types<Handle>());
        if (found)
          done(result<Handle>{caf::actor_cast<Handle>(std::move(*found))});
        else
          done(result<Handle>{fail(std::move(found.error()))});
      },
      [self, done](const caf::error& why) {
        done(result<Handle>{fail(to_failure(self->system(), why))});
      });
}

} // namespace turnstile
