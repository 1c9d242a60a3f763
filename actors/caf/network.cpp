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

#if TURNSTILE_OLD_CAF
#include <caf/io/basp/header.hpp>
#include <caf/io/basp_broker.hpp>
#include <caf/io/middleman_actor_impl.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/io/network/doorman_impl.hpp>
#include <caf/io/network/scribe_impl.hpp>

#endif

namespace turnstile {

#if TURNSTILE_OLD_CAF

// CAF believes the length that a frame announces and allocates that much at
// once, four gigabytes if a stranger says so. So what comes in at an open port
// is bounded: little before the handshake, much after it.
namespace {

namespace net = caf::io::network;

class bounded_scribe : public net::scribe_impl {
public:
  bounded_scribe(net::default_multiplexer& all, net::native_socket socket)
    : scribe_impl(all, socket) {}

  void configure_read(caf::io::receive_policy::config wanted) override {
    constexpr std::size_t before_handshake = 64 * 1024;
    constexpr std::size_t after_it = 512 * 1024 * 1024;
    const auto most = ++reads_ <= 2 ? before_handshake : after_it;
    if (wanted.first == caf::io::receive_policy_flag::exactly
        && wanted.second > most) {
      // The payload that the broker gets is not as long as it was announced,
      // by which it closes the connection.
      net::shutdown_both(stream_.fd());
      wanted.second = 1;
    }
    scribe_impl::configure_read(wanted);
  }

private:
  int reads_ = 0; ///< A header and a payload in turn.
};

class bounded_doorman : public net::doorman_impl {
public:
  bounded_doorman(net::default_multiplexer& all, net::native_socket socket)
    : doorman_impl(all, socket) {}

  bool new_connection() override {
    if (detached())
      return false;
    auto& all = acceptor_.backend();
    const auto socket = acceptor_.accepted_socket();
    net::nonblocking(socket, true);
    auto made = caf::make_counted<bounded_scribe>(all, socket);
    const auto handle = made->hdl();
    parent()->add_scribe(std::move(made));
    return doorman::new_connection(&all, handle);
  }
};

/// Publishes behind a bounded doorman.
class bounded_middleman : public caf::io::middleman_actor_impl {
public:
  bounded_middleman(caf::actor_config& how, caf::actor broker)
    : middleman_actor_impl(how, std::move(broker)) {}

protected:
  caf::expected<caf::io::doorman_ptr>
  open(std::uint16_t port, const char* address, bool reuse) override {
    auto socket = net::new_tcp_acceptor_impl(port, address, reuse);
    if (!socket)
      return std::move(socket.error());
    return caf::io::doorman_ptr{caf::make_counted<bounded_doorman>(
      dynamic_cast<net::default_multiplexer&>(system().middleman().backend()),
      *socket)};
  }
};

} // namespace

#endif

void use_network(caf::actor_system_config& config, const network_terms& terms) {
  auto option = [](const char* name) { return base_config::option(name); };
  config.load<caf::io::middleman>();
  // 1.x knows these options only once the module is loaded.
  config.set(option("middleman.heartbeat-interval"),
             caf::timespan{terms.heartbeat});
  config.set(option("middleman.connection-timeout"),
             caf::timespan{terms.patience});
  config.set(option("middleman.enable-automatic-connections"), true);
  // Nobody is woken only to read a message: a fifth of a round trip.
  config.set(option("middleman.workers"), std::size_t{0});
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

namespace {

/// The actor that opens ports. Encrypted ones are bounded by their
/// certificates.
caf::actor publishing_door(caf::actor_system& system) {
#if TURNSTILE_OLD_CAF
  if (!system.has_openssl_manager())
    return caf::actor_cast<caf::actor>(
      system.spawn<bounded_middleman, caf::hidden>(
        system.middleman().named_broker<caf::io::basp_broker>(
          caf::atom("BASP"))));
#endif
  return network_door(system);
}

} // namespace

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
    .request(publishing_door(system), caf::infinite)
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
