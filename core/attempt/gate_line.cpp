#include "core/attempt/gate_line.hpp"

#include <algorithm>

namespace turnstile {

void gate_line::join(const work_id& id) {
  auto& siblings = requests_[id.request];
  siblings.last_round = siblings.works == 0
                          ? round_ + 1
                          : std::max(siblings.last_round, round_) + 1;
  ++siblings.works;
  put(id, siblings.last_round);
}

void gate_line::join_returning(const work_id& id) {
  put(id, 0);
}

void gate_line::put(const work_id& id, std::uint64_t round) {
  const auto ticket = ++tickets_;
  places_.emplace(id, place{round, ticket});
  line_.emplace(round, ticket, id);
}

std::optional<work_id> gate_line::take_next() {
  if (line_.empty())
    return std::nullopt;
  const auto [round, ticket, id] = *line_.begin();
  round_ = std::max(round_, round);
  leave(id);
  return id;
}

bool gate_line::leave(const work_id& id) {
  const auto found = places_.find(id);
  if (found == places_.end())
    return false;
  const auto [round, ticket] = found->second;
  places_.erase(found);
  line_.erase({round, ticket, id});
  if (round != 0)
    if (const auto siblings = requests_.find(id.request);
        --siblings->second.works == 0)
      requests_.erase(siblings);
  return true;
}

} // namespace turnstile
