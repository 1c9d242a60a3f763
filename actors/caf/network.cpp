// The one translation unit that includes caf/io, which is slow to compile.
#include "actors/caf/network.hpp"

#include "actors/caf/config.hpp"
#include "actors/caf/error.hpp"
#include "actors/caf/mail.hpp"

#include <caf/io/middleman.hpp>
#include <caf/io/middleman_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/system_messages.hpp>

namespace turnstile {

void use_network(caf::actor_system_config& config) {
  using namespace std::chrono_literals;
  auto option = [](const char* name) { return base_config::option(name); };
  config.load<caf::io::middleman>();
  // 1.x knows these options only once the module is loaded.
  config.set(option("middleman.heartbeat-interval"), caf::timespan{1s});
  config.set(option("middleman.connection-timeout"), caf::timespan{5s});
  config.set(option("middleman.enable-automatic-connections"), true);
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
    .request(system.middleman().actor_handle(), caf::infinite)
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
    .request(system.middleman().actor_handle(), patience)
    .receive(
      [&](const caf::node_id&, caf::strong_actor_ptr& whom,
          const interface_text& theirs) {
        if (whom == nullptr)
          outcome = fail(errc::backend_lost, "no actor is published there");
        else if (!system.assignable(theirs, interface))
          outcome = fail(errc::invalid_argument,
                         "the actor there has another interface");
        else
          outcome = std::move(whom);
      },
      [&](const caf::error& why) { outcome = fail(to_failure(system, why)); });
  return outcome;
}

} // namespace detail

} // namespace turnstile
