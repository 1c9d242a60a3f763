#include "actors/caf/network.hpp"

#include "tests/actors/caf/seam_actors.hpp"
#include "tests/catch.hpp"

#include <caf/send.hpp>

#include <chrono>
#include <string>
#include <utility>

using namespace seam_tests;
using namespace std::chrono_literals;

namespace {

struct net_config : system_config<caf::id_block::seam_tests> {
  net_config() { use_network(); }
};

/// A node in this process, which others reach through the loopback.
struct node {
  net_config settings;
  caf::actor_system system{settings};

  ~node() { caf::anon_send_exit(hosted, caf::exit_reason::kill); }

  diarist hosted = spawn<diarist_state>(system);
};

std::string ask_over_network(node& from, const diarist& whom, text note) {
  std::string seen;
  caf::scoped_actor self{from.system};
  mail(self, std::move(note))
    .request(whom, 5s)
    .receive([&](const text& x) { seen = x.value(); },
             [&](const caf::error& e) { seen = render(from.system, e); });
  return seen;
}

struct guard_state {
  using pointer = caf::event_based_actor*;

  guard_state(pointer selfptr, diarist x, caf::actor y)
    : self(selfptr), whom(std::move(x)), told(std::move(y)) {}

  caf::behavior make_behavior() {
    monitor(self, whom,
            [this](const caf::error&) { mail(self, note_atom_v).send(told); });
    mail(self, diary_atom_v).send(told); // it watches now
    return {[](note_atom) {}};
  }

  pointer self;
  diarist whom;
  caf::actor told;
};

} // namespace

TEST_CASE("values and failures travel between nodes", "[actors][caf]") {
  node server, client;
  auto port = publish(server.system, server.hosted, 0);
  REQUIRE(port);
  auto proxy = connect<diarist>(client.system, "127.0.0.1", *port);
  REQUIRE(proxy);
  CHECK(ask_over_network(client, *proxy, make_text("yes")) == "yes");
  CHECK(ask_over_network(client, *proxy, make_text("no"))
        == "capacity: the diary is full");
}

TEST_CASE("connect says why there is nobody", "[actors][caf]") {
  using stranger = typed_actor<caf::result<void>(later_atom)>;
  node server, client;
  auto port = publish(server.system, server.hosted, 0);
  REQUIRE(port);
  auto other = connect<stranger>(client.system, "127.0.0.1", *port);
  REQUIRE_FALSE(other);
  CHECK(to_string(other.error().code) == "invalid_argument");
  auto nobody = connect<diarist>(client.system, "127.0.0.1", 1);
  REQUIRE_FALSE(nobody);
  CHECK(to_string(nobody.error().code) == "backend_lost");
}

TEST_CASE("without the network nothing is published", "[actors][caf]") {
  still_world world;
  auto whom = spawn<diarist_state>(world.system());
  auto port = publish(world.system(), whom, 0);
  REQUIRE_FALSE(port);
  CHECK(to_string(port.error().code) == "invalid_argument");
  CHECK_FALSE(connect<diarist>(world.system(), "127.0.0.1", 1));
}

TEST_CASE("monitor calls when a remote actor ends", "[actors][caf]") {
  node server, client;
  auto port = publish(server.system, server.hosted, 0);
  REQUIRE(port);
  auto proxy = connect<diarist>(client.system, "127.0.0.1", *port);
  REQUIRE(proxy);
  caf::scoped_actor self{client.system};
  auto guard = spawn<guard_state>(client.system, *proxy, caf::actor{self});
  self->receive([](diary_atom) {}); // it watches
  caf::anon_send_exit(server.hosted, caf::exit_reason::user_shutdown);
  bool called = false;
  self->receive([&](note_atom) { called = true; });
  CHECK(called);
}
