#pragma once

#include "actors/backend.hpp"
#include "actors/backend/submission_key.hpp"
#include "actors/cluster/interfaces.hpp"
#include "actors/cluster/uplink.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace turnstile {

/// What a worker is made of.
struct worker_options {
  std::string name;              ///< The same whenever it comes back.
  std::uint64_t incarnation = 0; ///< Drawn anew for each process.
  std::string version;           ///< Of the program, for people.

  /// What it offers. A backend's gate says how much it takes at a time: its
  /// slots, without which it takes one.
  backend_set backends;

  node_finder find;
  uplink_options uplink; ///< Of this, `find` and `owner` are filled in.
};

/// Offers backends to a server and executes what it is given. When it is cut
/// off it stops everything at once, and comes back when all is quiet: the
/// server gives its works to others meanwhile. It tries for ever.
///
/// Invariant: what is in `running_` was dispatched by the present link, or is
/// being stopped.
class worker_state {
public:
  static constexpr const char* name = "turnstile.worker";

  /// @pre there is a backend
  worker_state(worker_actor::pointer self, worker_options options);

  worker_actor::behavior_type make_behavior();

private:
  struct running {
    backend_actor backend;
    bool fenced = false;      ///< Its link is over.
    bool handed_back = false; ///< It is stopped, to be run elsewhere.
    std::optional<owed_answer<void>> unparked;
  };

  void introduce();
  void connect();
  void welcomed(const wire::Envelope& letter);
  void receive(const wire::Envelope& letter);
  void dispatch(const wire::Dispatch& order);
  void cancel(const wire::CancelWork& which);
  void ended(const submission_key& key, const wire::Completed& how);
  void cut(const wire::Envelope& goodbye);
  void stop_all();
  void post(wire::Envelope letter);
  void come_back_if_quiet();
  caf::result<void> leave(bool hand_back);
  caf::result<void> unpark(const wire::UnparkWork& what);

  /// Tells the server what a backend says of a submission that it still has.
  template <class Message>
  bool concerns_link(const Message& message) const;

  worker_actor::pointer self_;
  worker_options options_;
  wire::Hello hello_;
  std::size_t unknown_abilities_ = 0; ///< Backends that have not answered yet.
  uplink_actor uplink_;
  bool connected_ = false;
  bool leaving_ = false;
  bool left_ = false;
  std::map<submission_key, running> running_;
  std::vector<owed_answer<void>> owed_drained_;
};

/// Spawns a worker: `spawn_worker(system, {.name = "left", .backends = mine,
/// .find = over_network("10.0.0.1", 4747)})`.
worker_actor spawn_worker(caf::actor_system& system, worker_options options);

} // namespace turnstile
