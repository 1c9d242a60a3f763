// The one translation unit that includes caf/io, which is slow to compile.
#include "actors/caf/network.hpp"

#include "actors/caf/config.hpp"
#include "actors/caf/error.hpp"
#include "actors/caf/mail.hpp"

#include <caf/io/middleman.hpp>
#include <caf/io/middleman_actor.hpp>
#include <caf/openssl/manager.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/system_messages.hpp>

namespace turnstile {

void use_network(caf::actor_system_config& config, const network_terms& terms) {
  auto option = [](const char* name) { return base_config::option(name); };
  config.load<caf::io::middleman>();
  // 1.x knows these options only once the module is loaded.
  config.set(option("middleman.heartbeat-interval"),
             caf::timespan{terms.heartbeat});
  config.set(option("middleman.connection-timeout"),
             caf::timespan{terms.patience});
  config.set(option("middleman.enable-automatic-connections"), true);
  if (!terms.encrypted())
    return;
  config.load<caf::openssl::manager>();
  config.openssl_certificate = terms.certificate;
  config.openssl_key = terms.key;
  config.openssl_cafile = terms.authority;
}

namespace detail {

void register_network_types() {
#if !TURNSTILE_OLD_CAF
  caf::io::middleman::init_global_meta_objects();
#endif
}

result<std::uint16_t> publish(caf::actor_system& system,
                              caf::strong_actor_ptr whom,
                              interface_text interface, std::uint16_t port,
                              const std::string& address) {
  if (!system.has_middleman())
    return fail(errc::invalid_argument, "the network is not in use");
  if (whom == nullptr)
    return fail(errc::invalid_argument, "there is no actor to publish");
  auto outcome = result<std::uint16_t>{};
  caf::scoped_actor self{system};
  mail(self, caf::publish_atom_v, port, std::move(whom), std::move(interface),
       address, true)
    .request(network_door(system), caf::infinite)
    .receive(
      [&](std::uint16_t bound) { outcome = bound; },
      [&](const caf::error& why) { outcome = fail(to_failure(system, why)); });
  return outcome;
}

result<caf::strong_actor_ptr> connect(caf::actor_system& system,
                                      const interface_text& interface,
                                      const std::string& host,
                                      std::uint16_t port,
                                      std::chrono::milliseconds patience) {
  if (!system.has_middleman())
    return fail(errc::invalid_argument, "the network is not in use");
  auto outcome = result<caf::strong_actor_ptr>{};
  caf::scoped_actor self{system};
  mail(self, caf::connect_atom_v, host, port)
    .request(network_door(system), patience)
    .receive(
      [&](const caf::node_id&, caf::strong_actor_ptr& whom,
          const interface_text& theirs) {
        outcome = checked(system, std::move(whom), theirs, interface);
      },
      [&](const caf::error& why) { outcome = fail(to_failure(system, why)); });
  return outcome;
}

caf::actor network_door(caf::actor_system& system) {
  if (!system.has_middleman())
    return nullptr;
  if (system.has_openssl_manager())
    return caf::actor_cast<caf::actor>(system.openssl_manager().actor_handle());
  return caf::actor_cast<caf::actor>(system.middleman().actor_handle());
}

void unpublish(caf::actor_system& system, const caf::actor_addr& whom,
               std::uint16_t port) {
  caf::scoped_actor self{system};
  mail(self, caf::unpublish_atom_v, whom, port)
    .request(network_door(system), caf::infinite)
    .receive([] {}, [](const caf::error&) {}); // it is gone already
}

result<caf::strong_actor_ptr> checked(caf::actor_system& system,
                                      caf::strong_actor_ptr whom,
                                      const interface_text& theirs,
                                      const interface_text& wanted) {
  if (whom == nullptr)
    return fail(errc::backend_lost, "no actor is published there");
  if (!system.assignable(theirs, wanted))
    return fail(errc::invalid_argument,
                "the actor there has another interface");
  return whom;
}

} // namespace detail

} // namespace turnstile
