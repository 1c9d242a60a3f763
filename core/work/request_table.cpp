#include "core/work/request_table.hpp"

#include <algorithm>

namespace turnstile {

request_slot request_table::add(request_id id) {
  return add(id, lives_);
}

request_slot request_table::add(request_id id, std::uint64_t life) {
  auto slot = records_.take();
  auto number = static_cast<std::uint32_t>(slot);
  auto& record = records_[slot];
  record.id = id;
  record.life = life;
  lives_ = std::max(lives_, life + 1);
  index_.insert(key_of(id, record.life), number);
  if (auto before = newest(id)) {
    record.older = *before;
    records_[*before].newer = slot;
    index_.replace(key_of_newest(id), number);
  } else {
    index_.insert(key_of_newest(id), number);
  }
  return slot;
}

void request_table::drop(request_slot slot) {
  const auto& record = records_[slot];
  TURNSTILE_CHECK(record.live.empty());
  index_.erase(key_of(record.id, record.life));
  if (record.older != request_slot::none)
    records_[record.older].newer = record.newer;
  if (record.newer != request_slot::none)
    records_[record.newer].older = record.older;
  else if (record.older != request_slot::none)
    index_.replace(key_of_newest(record.id),
                   static_cast<std::uint32_t>(record.older));
  else
    index_.erase(key_of_newest(record.id));
  records_.give_back(slot);
}

std::optional<request_slot> request_table::newest(request_id id) const {
  auto found = index_.find(key_of_newest(id));
  if (!found)
    return std::nullopt;
  return static_cast<request_slot>(*found);
}

std::optional<request_slot> request_table::owner_of(request_id id) const {
  auto found = newest(id);
  if (!found || records_[*found].forgotten)
    return std::nullopt;
  return found;
}

std::optional<request_slot> request_table::find(request_id id,
                                                std::uint64_t life) const {
  auto found = index_.find(key_of(id, life));
  if (!found)
    return std::nullopt;
  return static_cast<request_slot>(*found);
}

void request_table::audit() const {
  records_.audit();
  index_.audit();
  std::size_t identities = 0;
  records_.for_each([&](request_slot slot, const request_record& record) {
    TURNSTILE_CHECK(find(record.id, record.life) == slot);
    TURNSTILE_CHECK(record.life < lives_);
    record.history.audit();
    if (record.newer == request_slot::none) {
      ++identities;
      TURNSTILE_CHECK(newest(record.id) == slot);
    } else {
      TURNSTILE_CHECK(record.forgotten);
      TURNSTILE_CHECK(records_[record.newer].older == slot);
      TURNSTILE_CHECK(records_[record.newer].life > record.life);
    }
  });
  TURNSTILE_CHECK(records_.size() + identities == index_.size());
}

} // namespace turnstile
