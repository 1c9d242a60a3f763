#pragma once

#include "actors/interfaces.hpp"

#include <optional>

namespace turnstile {

/// A request's door: puts the request's name on what clients say, and passes
/// it on to the scheduler, which answers them itself. Questions and
/// cancellations overtake what else waits there.
///
/// After the request's end it answers with that end; it never speaks to
/// another life of the same identity.
class door_state {
public:
  static constexpr const char* name = "turnstile.door";

  door_state(door_actor::pointer self, wire::Registered whose,
             scheduler_actor scheduler);

  door_actor::behavior_type make_behavior();

private:
  /// Names the request in `message`, unless it has ended.
  template <class Answer, class Message>
  caf::result<Answer> pass_on(Message message);

  template <class Answer, class Message>
  caf::result<Answer> pass_on_urgently(Message message);

  /// Makes an identity that of a work of this life of the request.
  void make_ours(wire::WorkId& id) const;

  [[nodiscard]] caf::error has_ended() const;

  door_actor::pointer self_;
  wire::Registered whose_;
  scheduler_actor scheduler_;
  std::optional<wire::RequestEnded> end_;
};

} // namespace turnstile
