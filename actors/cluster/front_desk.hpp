#pragma once

#include "actors/cluster/interfaces.hpp"
#include "actors/cluster/link_terms.hpp"
#include "core/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace turnstile {

/// What a front desk is made of.
struct front_desk_options {
  std::string name;              ///< Of the node, for its peers and for people.
  std::uint64_t incarnation = 0; ///< Drawn anew for each process.
  std::string version;           ///< Of the program, for people.
  link_terms terms;

  /// Links that there may be at a time.
  std::size_t max_links = 4096;

  /// Who serves workers, and who clients; nobody: they are refused. Held until
  /// the front desk ends.
  desk_actor workers;
  desk_actor clients;
};

/// The way in, with what it tells itself.
using front_desk_actor =
  typed_actor<caf::result<wire::Envelope>(wire::Envelope, link_actor),
              caf::result<void>(wire::Envelope),
              caf::result<wire::NodeStatus>(wire::NodeQuery),
              /// Says Goodbye to all, and ends.
              caf::result<void>(drain_atom),
              caf::result<void>(wake_atom, std::uint64_t)>;

/// Receives those who connect to a node, knows who of them is still there, and
/// passes on what they say.
///
/// Invariant: what is in `links_` was joined at its desk and has not left.
class front_desk_state {
public:
  static constexpr const char* name = "turnstile.front_desk";

  /// @pre the terms are valid
  front_desk_state(front_desk_actor::pointer self, front_desk_options options);

  front_desk_actor::behavior_type make_behavior();

private:
  struct link {
    link_actor peer;
    desk_actor desk;
    wire::NodeRole role = wire::NODE_ROLE_UNSPECIFIED;
    std::string name;
    std::uint64_t incarnation = 0;
    watch down;
    instant heard;
    std::optional<std::pair<instant, failure>> lost; ///< Told when that comes.
  };

  result<wire::Envelope> welcome(const wire::Envelope& letter,
                                 const link_actor& peer);
  status may_join(const wire::Envelope& letter);
  void receive(const wire::Envelope& letter);
  void count_stranger(const wire::Envelope& letter);
  void look_after_links();
  void set_alarm();
  void lose_later(std::uint64_t number, failure why);
  void end(std::uint64_t number, const wire::Envelope& goodbye);
  void answer_status(std::uint64_t number);
  caf::result<wire::NodeStatus> node_status();
  void say_goodbye();
  [[nodiscard]] instant time() const { return now(self_->clock()); }

  front_desk_actor::pointer self_;
  front_desk_options options_;
  std::unordered_map<std::uint64_t, link> links_;
  std::map<std::string, std::uint64_t> workers_; ///< Links, by their names.
  wire::NodeStatus counted_;
  std::uint64_t alarm_ = 0;
  std::optional<instant> rings_at_;
  instant next_beat_;
};

} // namespace turnstile
