#include "actors/scheduler/request_desks.hpp"

#include "core/base/check.hpp"

#include <utility>

namespace turnstile {

void request_desks::open(request_id id, door_actor door,
                         const caf::actor& owner) {
  desk opened{std::move(door), {}, {}, {}};
  if (owner) {
    opened.owner = owner.address();
    owners_.add(self_, owner, id, orphan_);
  }
  desks_.insert_or_assign(id, std::move(opened));
}

void request_desks::await(request_id id, owed_answer<wire::RequestEnded> who) {
  desks_.at(id).waiting.push_back(std::move(who));
}

void request_desks::note(request_id id, wire::RequestEnded end) {
  if (auto desk = desks_.find(id); desk != desks_.end())
    desk->second.end = std::move(end);
}

bool request_desks::has_end(request_id id) const {
  auto desk = desks_.find(id);
  return desk != desks_.end() && desk->second.end;
}

void request_desks::tell(request_id id) {
  TURNSTILE_CHECK(has_end(id));
  auto closed = std::move(desks_.extract(id).mapped());
  owners_.remove(closed.owner, id);
  for (auto& who : closed.waiting)
    who.settle(*closed.end);
  mail(self_, ended_atom_v, std::move(*closed.end)).send(closed.door);
}

} // namespace turnstile
