#include "tests/bench/bare_caf.hpp"

#include "actors/caf/network.hpp"
#include "tests/bench/asking.hpp"
#include "tests/bench/peer.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <future>
#include <string>
#include <unistd.h>

namespace turnstile::bench {

namespace {

using meeting_actor =
  typed_actor<caf::result<void>(join_atom, std::string, backend_actor)>;

/// Meets whoever echoes for bare CAF.
struct meeting {
  explicit meeting(std::promise<backend_actor>* told) : told_(told) {}
  meeting_actor::behavior_type make_behavior() {
    return {[this](join_atom, const std::string&, const backend_actor& who) {
      told_->set_value(who);
    }};
  }
  std::promise<backend_actor>* told_;
};

void echo_caf(std::uint16_t port) {
  one_core_config config;
  caf::actor_system system{config};
  auto backend = backend_actor{turnstile::spawn<echo_backend>(system)};
  auto meets = connect<meeting_actor>(system, "127.0.0.1", port);
  if (!meets)
    std::_Exit(1);
  anon_mail(join_atom_v, std::string{"echo"}, backend).send(*meets);
  pause();
}

const peer_kind caf_peer{"echo_caf", echo_caf};

} // namespace

figures bare_caf(int rounds) {
  one_core_config config;
  caf::actor_system system{config};
  std::promise<backend_actor> met;
  auto meets = turnstile::spawn<meeting>(system, &met);
  auto port = publish(system, meeting_actor{meets}, 0);
  peer other{caf_peer, *port};
  auto backend = met.get_future().get();
  wire::Execute what;
  what.mutable_work_id()->mutable_request()->set_value(1);
  what.set_payload(std::string(bare_payload, 'x'));
  auto asks = [backend, what](caf::event_based_actor* self, auto done) {
    mail(self, what)
      .request(backend, caf::infinite)
      .then([done](const wire::Completed&) { done(); },
            [](const caf::error&) { std::abort(); });
  };
  per_answer(system, asks, rounds / 10, 1);
  figures seen;
  seen.one = per_answer(system, asks, rounds, 1);
  seen.many = per_answer(system, asks, rounds * 4, many_open);
  caf::anon_send_exit(meets, caf::exit_reason::kill);
  return seen;
}

} // namespace turnstile::bench
