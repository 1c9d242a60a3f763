#pragma once

#include "actors/caf/caf.hpp"
#include "core/base/ids.hpp"

#include <map>
#include <set>
#include <utility>

namespace turnstile {

/// Which requests end with which actor. One monitor per owner, however many
/// requests it has.
class owners {
public:
  /// Says that `id` is to be cancelled, by `orphaned(id)`, when `owner` ends.
  template <class Self, class Orphaned>
  void add(Self* self, const caf::actor& owner, request_id id,
           Orphaned orphaned) {
    auto& desk = desks_[owner.address()];
    desk.requests.insert(id);
    if (desk.watch.open())
      return;
    desk.watch = monitor(
      self, owner, [this, who = owner.address(), orphaned](const caf::error&) {
        auto gone = desks_.extract(who);
        if (!gone)
          return;
        for (auto orphan : gone.mapped().requests)
          orphaned(orphan);
      });
  }

  /// Says that `id` has ended.
  void remove(const caf::actor_addr& owner, request_id id) {
    auto desk = desks_.find(owner);
    if (desk == desks_.end())
      return;
    desk->second.requests.erase(id);
    if (!desk->second.requests.empty())
      return;
    desk->second.watch.dispose();
    desks_.erase(desk);
  }

private:
  struct desk {
    std::set<request_id> requests;
    turnstile::watch watch;
  };

  std::map<caf::actor_addr, desk> desks_;
};

} // namespace turnstile
