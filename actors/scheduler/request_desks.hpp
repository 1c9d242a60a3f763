#pragma once

#include "actors/interfaces.hpp"
#include "actors/scheduler/owners.hpp"
#include "core/base/hash.hpp"

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace turnstile {

/// Who wants to know of a request: its door, its owner, and those who wait for
/// its end.
///
/// Invariant: a request has a desk from its registration until its end was
/// told, which is once nothing of it runs any more.
class request_desks {
public:
  using orphaned = std::function<void(request_id)>;

  /// Calls `orphan` for each request whose owner has ended.
  request_desks(scheduler_actor::pointer self, orphaned orphan)
    : self_(self), orphan_(std::move(orphan)) {}

  /// Opens a desk. An `owner` that is no actor owns nothing.
  void open(request_id id, door_actor door, const caf::actor& owner);

  [[nodiscard]] bool has(request_id id) const { return desks_.contains(id); }

  /// Owes the end of the request to one more. @pre it has a desk
  void await(request_id id, owed_answer<wire::RequestEnded> who);

  /// Notes how a request has ended, to be told when it is quiet.
  void note(request_id id, wire::RequestEnded end);

  /// Lets `edit` change an end that was noted and not yet told.
  template <class Edit>
  void amend(request_id id, Edit edit) {
    if (has_end(id))
      edit(*desks_.at(id).end);
  }

  /// Returns whether its end was noted and not yet told.
  [[nodiscard]] bool has_end(request_id id) const;

  /// Tells the noted end to its door and to all who wait, and closes the desk.
  /// @pre `has_end(id)`
  void tell(request_id id);

private:
  struct desk {
    door_actor door;
    caf::actor_addr owner;
    std::vector<owed_answer<wire::RequestEnded>> waiting;
    std::optional<wire::RequestEnded> end;
  };

  scheduler_actor::pointer self_;
  orphaned orphan_;
  owners owners_;
  std::unordered_map<request_id, desk, id_hash> desks_;
};

} // namespace turnstile
