#include "core/work/work_table.hpp"

namespace turnstile {

flat_index::key work_table::key_of(request_slot owner, std::uint64_t sequence) {
  return {static_cast<std::uint64_t>(owner), sequence};
}

work_slot work_table::take(const work_id& id, request_slot owner) {
  auto slot = records_.take();
  auto& record = records_[slot];
  record.id = id;
  record.owner = owner;
  by_sequence_.insert(key_of(owner, id.sequence),
                      static_cast<std::uint32_t>(slot));
  return slot;
}

void work_table::give_back(work_slot slot) {
  const auto& record = records_[slot];
  by_sequence_.erase(key_of(record.owner, record.id.sequence));
  records_.give_back(slot);
}

std::optional<work_slot> work_table::find(request_slot owner,
                                          std::uint64_t sequence) const {
  auto found = by_sequence_.find(key_of(owner, sequence));
  if (!found)
    return std::nullopt;
  return static_cast<work_slot>(*found);
}

void work_table::audit() const {
  records_.audit();
  by_sequence_.audit();
  TURNSTILE_CHECK(records_.size() == by_sequence_.size());
  records_.for_each([&](work_slot slot, const work_record& record) {
    TURNSTILE_CHECK(find(record.owner, record.id.sequence) == slot);
  });
}

} // namespace turnstile
