#pragma once

#include "actors/caf/caf.hpp"
#include "actors/cluster/uplink.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace cluster_tests {

using namespace turnstile;

/// One way through a cable. While it is cut, letters wait in it, in order, as
/// they do in a TCP connection.
class passage {
public:
  void send(std::function<void()> letter) {
    if (open_)
      letter();
    else
      held_.push_back(std::move(letter));
  }

  void cut() { open_ = false; }

  void heal() {
    open_ = true;
    for (auto& letter : std::exchange(held_, {}))
      letter();
  }

  /// The connection is over: what waits is lost.
  void drop() { held_.clear(); }

  [[nodiscard]] bool is_open() const noexcept { return open_; }

private:
  bool open_ = true;
  std::deque<std::function<void()>> held_;
};

/// Both ways.
struct passages {
  passage to_server;
  passage to_client;
};

/// The server's side of a cable, as it sees its client.
class far_end_state {
public:
  far_end_state(link_actor client, std::shared_ptr<passages> open)
    : client_(std::move(client)), open_(std::move(open)) {}

  link_actor::behavior_type make_behavior() {
    return {[this](const wire::Envelope& letter) {
      open_->to_client.send(
        [letter, to = client_] { anon_mail(letter).send(to); });
    }};
  }

private:
  link_actor client_;
  std::shared_ptr<passages> open_;
};

/// The client's side of a cable, as it sees its server.
class near_end_state {
public:
  near_end_state(node_actor::pointer self, node_actor server,
                 std::shared_ptr<passages> open)
    : self_(self), server_(std::move(server)), open_(std::move(open)) {
    // A connection is lost at both ends if the server's process is.
    monitor(self_, server_, [this](const caf::error&) { self_->quit(); });
  }

  ~near_end_state() { caf::anon_send_exit(far_, caf::exit_reason::kill); }

  node_actor::behavior_type make_behavior() {
    return {
      [this](const wire::Envelope& hello, const link_actor& client) {
        far_ = spawn<far_end_state>(self_->system(), client, open_);
        auto owed = std::make_shared<owed_answer<wire::Envelope>>(self_);
        auto later = owed->later();
        mail(self_, hello, far_)
          .request(server_, caf::infinite)
          .then(
            [owed](const wire::Envelope& welcome) { owed->settle(welcome); },
            [this, owed](const caf::error& why) {
              owed->settle(fail(to_failure(self_->system(), why)));
            });
        return later;
      },
      [this](const wire::Envelope& letter) {
        open_->to_server.send(
          [letter, to = server_] { anon_mail(letter).send(to); });
      },
    };
  }

private:
  node_actor::pointer self_;
  node_actor server_;
  std::shared_ptr<passages> open_;
  link_actor far_;
};

/// What connects a client to a server in a still world. It can be cut either
/// way, so that each end hears nothing of the other, or severed, which both
/// notice.
class cable {
public:
  explicit cable(caf::actor_system& system) : system_(system) {}

  /// Connects to what `server` holds at that time; to nobody while it is cut.
  node_finder finder(std::shared_ptr<node_actor> server) {
    return [this, server](uplink_actor::pointer, auto found) {
      ++attempts;
      if (!*server || !open->to_server.is_open() || !open->to_client.is_open()
          || unplugged)
        return found(fail(errc::backend_lost, "nobody is there"));
      near_ = spawn<near_end_state>(system_, *server, open);
      found(near_);
    };
  }

  /// Ends the connection at both ends.
  void sever() {
    caf::anon_send_exit(near_, caf::exit_reason::kill);
    open->to_server.drop();
    open->to_client.drop();
  }

  void cut() {
    open->to_server.cut();
    open->to_client.cut();
  }

  void heal() {
    open->to_server.heal();
    open->to_client.heal();
  }

  std::shared_ptr<passages> open = std::make_shared<passages>();
  bool unplugged = false; ///< No new connection can be made.
  int attempts = 0;

private:
  caf::actor_system& system_;
  node_actor near_;
};

} // namespace cluster_tests
