#include "core/work/lifecycle_history.hpp"

#include "core/base/check.hpp"
#include "core/base/touch.hpp"

#include <iterator>

namespace turnstile {

void lifecycle_history::note(std::uint64_t sequence, work_lifecycle lifecycle,
                             std::size_t max_ranges) {
  if (lifecycle == work_lifecycle::committed || sequence < known_from_)
    return;
  touch();
  auto after = ranges_.upper_bound(sequence);
  auto joins_after = after != ranges_.end() && after->first == sequence + 1
                     && after->second.lifecycle == lifecycle;
  if (after != ranges_.begin()) {
    auto before = std::prev(after);
    TURNSTILE_CHECK(before->second.last < sequence);
    if (before->second.last + 1 == sequence
        && before->second.lifecycle == lifecycle) {
      before->second.last = joins_after ? after->second.last : sequence;
      if (joins_after)
        ranges_.erase(after);
      return;
    }
  }
  if (joins_after) {
    auto grown = ranges_.extract(after);
    grown.key() = sequence;
    ranges_.insert(std::move(grown));
    return;
  }
  ranges_.emplace_hint(after, sequence, range{sequence, lifecycle});
  if (ranges_.size() > max_ranges) {
    known_from_ = ranges_.begin()->second.last + 1;
    ranges_.erase(ranges_.begin());
  }
}

std::optional<work_lifecycle>
lifecycle_history::find(std::uint64_t sequence) const {
  touch();
  if (sequence < known_from_)
    return std::nullopt;
  auto after = ranges_.upper_bound(sequence);
  if (after != ranges_.begin() && std::prev(after)->second.last >= sequence)
    return std::prev(after)->second.lifecycle;
  return work_lifecycle::committed;
}

void lifecycle_history::audit() const {
  auto previous = ranges_.end();
  for (auto here = ranges_.begin(); here != ranges_.end(); ++here) {
    TURNSTILE_CHECK(here->first <= here->second.last);
    TURNSTILE_CHECK(here->first >= known_from_);
    if (previous != ranges_.end()) {
      TURNSTILE_CHECK(previous->second.last < here->first);
      TURNSTILE_CHECK(previous->second.last + 1 < here->first
                      || previous->second.lifecycle != here->second.lifecycle);
    }
    previous = here;
  }
}

} // namespace turnstile
