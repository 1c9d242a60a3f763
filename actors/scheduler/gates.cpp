#include "actors/scheduler/gates.hpp"

#include <algorithm>

namespace turnstile {

void gates::open(const std::string& name, const gate_policy& policy) {
  auto& it = gates_[name];
  it.gate.renew(policy);
  it.given_up = false;
}

void gates::give_up(const std::string& name) {
  gates_[name].given_up = true;
}

std::optional<gates::pass> gates::enter(const std::string& name, instant now) {
  auto& it = gates_[name];
  if (!it.line.empty() || !it.is_open(now))
    return std::nullopt;
  return it.gate.enter();
}

void gates::wait(const std::string& name, const work_id& id, bool returns) {
  auto& line = gates_[name].line;
  if (returns)
    line.join_returning(id);
  else
    line.join(id);
}

void gates::leave_line(const std::string& name, const work_id& id) {
  gates_[name].line.leave(id);
}

std::pair<gates::view, gates::view>
gates::come_back(const std::string& name, const pass& which,
                 const std::optional<backend_news>& news, instant now) {
  auto& it = gates_[name];
  const auto before = it.look(now);
  if (news)
    it.gate.leave(which, *news, now);
  else
    it.gate.leave(which);
  return {before, it.look(now)};
}

std::vector<std::pair<work_id, gates::pass>> gates::let_pass(instant now) {
  std::vector<std::pair<work_id, pass>> all;
  for (auto& [name, it] : gates_)
    while (!it.line.empty() && it.is_open(now))
      all.emplace_back(*it.line.take_next(), it.gate.enter());
  return all;
}

std::optional<instant> gates::opens_at(instant now) const {
  std::optional<instant> first;
  for (const auto& [name, it] : gates_)
    if (!it.line.empty())
      if (const auto opens = it.gate.opens_at(now))
        first = std::min(first.value_or(*opens), *opens);
  return first;
}

gates::view gates::look(const std::string& name, instant now) const {
  const auto found = gates_.find(name);
  return found == gates_.end() ? view{} : found->second.look(now);
}

gates::view gates::one::look(instant now) const {
  return {gate.passed(), line.size(), gate.rests(), gate.opens_at(now),
          gate.policy().closed ? 0 : gate.policy().concurrency};
}

} // namespace turnstile
