#include "actors/caf/watch_list.hpp"

#include <iterator>
#include <utility>

namespace turnstile::detail {

watch_list::watch_list(std::function<bool()> alive)
  : alive_(std::move(alive)) {}

watch watch_list::add(caf::weak_actor_ptr whom, callback call,
                      const start& begin) {
  const auto* key = whom.get();
  auto [found, is_new] = places_.try_emplace(key);
  auto& here = found->second;
  here.open.push_back(std::make_shared<watch_entry>());
  auto entry = std::prev(here.open.end());
  (*entry)->call = std::move(call);
  (*entry)->detach = [this, key, entry] { remove(key, entry); };
  auto result = watch{*entry};
  if (is_new) {
    here.whom = std::move(whom);
    here.end = begin();
  }
  return result;
}

void watch_list::down(const caf::actor_control_block* whom,
                      const caf::error& reason) {
  auto gone = places_.extract(whom);
  if (!gone)
    return; // disposed while the news was on its way
  auto& open = gone.mapped().open;
  for (auto& entry : open)
    entry->detach = nullptr; // it is off the list
  for (auto& entry : open)
    if (alive_())
      entry->fire(reason);
    else
      watch{entry}.dispose();
}

void watch_list::clear() {
  for (auto& [key, here] : std::exchange(places_, {})) {
    for (auto& entry : here.open) {
      entry->detach = nullptr;
      watch{entry}.dispose();
    }
    here.end();
  }
}

void watch_list::remove(const caf::actor_control_block* whom,
                        entries::iterator entry) {
  auto found = places_.find(whom);
  found->second.open.erase(entry);
  if (!found->second.open.empty())
    return;
  auto gone = places_.extract(found);
  gone.mapped().end();
}

} // namespace turnstile::detail
