#include "actors/scheduler/backend_desk.hpp"

#include "messages/translate/backend_terms.hpp"

#include <spdlog/spdlog.h>

#include <utility>

namespace turnstile {

void backend_desk::join(const std::string& name, const backend_actor& backend,
                        const gate_policy& policy) {
  known_.add(name, backend, policy);
  abilities_.erase(name);
  wire::BackendCapabilitiesQuery query;
  query.set_backend(name);
  mail(self_, std::move(query))
    .request(backend, caf::infinite)
    .then(
      [this, name, backend](const wire::BackendCapabilities& able) {
        if (auto now = find(name); now && *now == backend)
          abilities_.insert_or_assign(name, able);
      },
      [](const caf::error&) {}); // the monitor tells if it is gone
  auto& watch = watches_[backend.address()];
  if (!watch.open())
    watch = monitor(self_, backend, [this, backend](const caf::error& why) {
      lose(backend, why);
    });
}

status backend_desk::leave(const std::string& name) {
  if (known_.by_name.erase(name) == 0)
    return fail(errc::unknown_backend, "unknown backend: " + name);
  abilities_.erase(name);
  return {};
}

status backend_desk::set_default(const std::string& name) {
  if (auto known = find(name); !known)
    return fail(errc::unknown_backend, "unknown backend: " + name);
  known_.default_name = name;
  return {};
}

void backend_desk::observe(const wire::ObservedBackend& who) {
  observed_ = who;
  if (who.backend().empty())
    observed_.reset();
}

const std::string& backend_desk::meant(const std::string& wanted) const {
  if (!wanted.empty())
    return wanted;
  if (observed_ && known_.by_name.count(observed_->backend()) > 0)
    return observed_->backend();
  return known_.default_name;
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
    abilities_.erase(entry.first);
    orphaned_(entry.first);
    return true;
  });
  lost_(backend, why);
}

wire::Backends backend_desk::look() const {
  wire::Backends all;
  for (const auto& [name, backend] : known_.by_name) {
    auto& entry = *all.add_entries();
    *entry.mutable_terms() = to_wire(name, known_.gates.find(name)->second);
    entry.mutable_terms()->set_as_default(name == known_.default_name);
    if (const auto able = abilities_.find(name); able != abilities_.end())
      *entry.mutable_capabilities() = able->second;
  }
  if (observed_)
    *all.mutable_observed() = *observed_;
  return all;
}

} // namespace turnstile
