#include "actors/caf/version.hpp"

#if TURNSTILE_OLD_CAF

#include "actors/caf/watch_list.hpp"

#include <utility>

namespace turnstile::detail {

watch_list::watch_list(std::function<void(const caf::actor_addr&)> forget)
  : forget_(std::move(forget)) {}

std::pair<watch, bool> watch_list::add(caf::actor_addr whom, callback call) {
  auto* key = whom.get();
  auto [found, is_new] = places_.try_emplace(key);
  auto& [keep, open] = found->second;
  keep = std::move(whom);
  open.push_back(std::make_shared<watch_entry>());
  auto entry = std::prev(open.end());
  (*entry)->call = std::move(call);
  (*entry)->detach = [this, key, entry] { remove(key, entry); };
  return {watch{*entry}, is_new};
}

void watch_list::down(const caf::actor_addr& whom, const caf::error& reason,
                      const std::function<bool()>& go_on) {
  auto gone = places_.extract(whom.get());
  if (!gone)
    return; // disposed while the news was on its way
  auto& open = gone.mapped().open;
  for (auto& entry : open)
    entry->detach = nullptr; // it is off the list
  for (auto& entry : open)
    if (go_on())
      entry->fire(reason);
    else
      watch{entry}.dispose();
}

void watch_list::clear() {
  for (auto& [key, place] : std::exchange(places_, {})) {
    for (auto& entry : place.open) {
      entry->detach = nullptr;
      watch{entry}.dispose();
    }
    forget_(place.whom);
  }
}

void watch_list::remove(caf::actor_control_block* whom,
                        entries::iterator entry) {
  auto found = places_.find(whom);
  found->second.open.erase(entry);
  if (!found->second.open.empty())
    return;
  auto gone = places_.extract(found);
  forget_(gone.mapped().whom);
}

} // namespace turnstile::detail

#endif
