#pragma once

#include "actors/cluster/interfaces.hpp"
#include "core/attempt/random_source.hpp"
#include "core/attempt/retry_policy.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace turnstile {

/// How an uplink gets at its server: calls back once, in the actor's context,
/// with the published node or why there is none.
using node_finder = std::function<void(
  uplink_actor::pointer self, std::function<void(result<node_actor>)> found)>;

/// What an uplink is made of.
struct uplink_options {
  node_finder find;
  uplink_owner_actor owner;

  /// Pauses between attempts to connect, which never end.
  retry_policy patience{0,
                        std::chrono::milliseconds{100},
                        2.0,
                        std::chrono::seconds{10},
                        jitter_kind::full,
                        0};

  /// Of the pauses and of the links' numbers, which strangers must not guess:
  /// draw it from the machine.
  std::uint64_t seed = 0;

  /// How long a server may take to answer `Hello`.
  duration hello_timeout = std::chrono::seconds{5};
};

/// Keeps one connection to a server: connects, says that it is there, notices
/// when the server is not, and tells its owner, whose word makes it try again.
/// What comes from an earlier connection is dropped.
class uplink_state {
public:
  static constexpr const char* name = "turnstile.uplink";

  uplink_state(uplink_actor::pointer self, uplink_options options);

  uplink_actor::behavior_type make_behavior();

private:
  void connect();
  void say_hello(const node_actor& node);
  void welcomed(const wire::Envelope& letter, const node_actor& node);
  void try_later(failure why);
  void receive(const wire::Envelope& letter);
  void post(wire::Envelope letter);
  void look_after_link();
  void set_alarm(duration from_now);
  void cut(const wire::Envelope& goodbye);
  void leave();
  [[nodiscard]] instant time() const { return now(self_->clock()); }

  uplink_actor::pointer self_;
  uplink_options options_;
  random_source chance_;
  std::optional<wire::Hello> hello_; ///< While it connects or is connected.
  std::uint64_t link_ = 0;           ///< The newest; each attempt has its own.
  node_actor node_;                  ///< While it is connected.
  watch down_;

  /// What the server has said before its Welcome was here: its actors send on
  /// ways of their own.
  std::vector<wire::Envelope> early_;
  std::uint32_t failed_ = 0; ///< Attempts, in a row.
  instant heard_;
  duration beat_{};
  duration lease_{};
  std::uint64_t alarm_ = 0;
};

/// Spawns the way to the server that `options.find` finds. It ends with its
/// owner.
uplink_actor spawn_uplink(caf::actor_system& system, uplink_options options);

/// Finds what `host` publishes at `port`, in at most `patience`.
node_finder
over_network(std::string host, std::uint16_t port,
             std::chrono::milliseconds patience = std::chrono::seconds{5});

} // namespace turnstile
