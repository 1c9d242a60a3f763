#include "tests/actors/cluster/cluster_world.hpp"

// One connection to a server, as its owner sees it.

using namespace cluster_tests;

namespace {

/// A server that says something before it says Welcome.
class hasty_node_state {
public:
  static node_actor::behavior_type make_behavior() {
    return {
      [](const wire::Envelope& hello, const link_actor& client) {
        auto early = envelope_of(hello.link());
        early.mutable_dispatch()->set_backend("tool");
        anon_mail(std::move(early)).send(client);
        auto welcome = envelope_of(hello.link());
        welcome.mutable_welcome()->set_beat_ns(1'000'000'000);
        welcome.mutable_welcome()->set_lease_ns(3'000'000'000);
        return welcome;
      },
      [](const wire::Envelope&) {},
    };
  }
};

/// Writes down what it is told.
class diarist_state {
public:
  explicit diarist_state(std::shared_ptr<std::string> into)
    : into_(std::move(into)) {}

  uplink_owner_actor::behavior_type make_behavior() {
    return {
      [this](join_atom, const wire::Envelope&) { *into_ += "joined. "; },
      [this](const wire::Envelope& letter) {
        *into_ += letter.has_dispatch() ? "dispatch. " : "something. ";
      },
      [this](leave_atom, const wire::Envelope& goodbye) {
        const auto why = reason_in(goodbye);
        *into_ += "left: " + (why ? why->detail : std::string{"done"}) + ". ";
      },
      [this](const wire::Failure& why) {
        *into_ += "failed: " + why.detail() + ". ";
      },
    };
  }

private:
  std::shared_ptr<std::string> into_;
};

} // namespace

TEST_CASE("what a server says before its Welcome has come is heard after it",
          "[actors][cluster]") {
  still_world_of<caf::id_block::turnstile, caf::id_block::turnstile_handles>
    still;
  auto said = std::make_shared<std::string>();
  auto owner = turnstile::spawn<diarist_state>(still.system(), said);
  auto node = node_actor{turnstile::spawn<hasty_node_state>(still.system())};
  uplink_options options;
  options.owner = owner;
  options.find = [node](uplink_actor::pointer, auto found) { found(node); };
  auto uplink = spawn_uplink(still.system(), std::move(options));
  anon_mail(join_atom_v, wire::Hello{}).send(uplink);
  still.settle();
  CHECK(*said == "joined. dispatch. ");

  SECTION("and a silent one is left") {
    still.advance(3s);
    CHECK(*said == "joined. dispatch. left: the server was silent for 3s. ");
  }
  SECTION("and so is one that ends") {
    still.kill(node);
    CHECK_THAT(*said, ContainsSubstring("left: the connection broke: "));
  }
  SECTION("and after its owner has left nobody hears anything") {
    anon_mail(leave_atom_v).send(uplink);
    still.advance(1min);
    CHECK(*said == "joined. dispatch. ");
  }
  still.kill(uplink);
  still.kill(node);
  still.kill(owner);
}
