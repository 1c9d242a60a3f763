#include "actors/scheduler/backend_desk.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace turnstile {

void backend_desk::take(const backend_set& all) {
  for (const auto& [name, backend] : all.by_name)
    join(name, backend);
  known_.default_name = all.default_name;
}

void backend_desk::join(const std::string& name, const backend_actor& backend) {
  known_.add(name, backend);
  auto& watch = watches_[backend.address()];
  if (!watch.open())
    watch = monitor(self_, backend, [this, backend](const caf::error& why) {
      lose(backend, why);
    });
}

status backend_desk::leave(const std::string& name) {
  if (known_.by_name.erase(name) == 0)
    return fail(errc::unknown_backend, "unknown backend: " + name);
  return {};
}

const std::string& backend_desk::meant(const std::string& wanted) const {
  return wanted.empty() ? known_.default_name : wanted;
}

result<backend_actor> backend_desk::find(const std::string& name) const {
  if (name.empty())
    return fail(errc::no_backend, "no backend registered");
  auto found = known_.by_name.find(name);
  if (found == known_.by_name.end())
    return fail(errc::unknown_backend, "unknown backend: " + name);
  return found->second;
}

void backend_desk::lose(const backend_actor& backend, const caf::error& why) {
  watches_.erase(backend.address());
  std::erase_if(known_.by_name, [&](const auto& entry) {
    if (entry.second != backend)
      return false;
    spdlog::warn("backend_lost backend={} reason=\"{}\"", entry.first,
                 render(self_->system(), why));
    return true;
  });
  lost_(backend, why);
}

} // namespace turnstile
