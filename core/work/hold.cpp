#include "core/work/hold.hpp"

#include "core/work/place_traits.hpp"
#include "core/work/work_book.hpp"

namespace turnstile {

namespace {

/// Names the works of a chain that `has` finds to hold something.
template <class Chain, class Has>
void name_holders(const work_book& book, const Chain& chain, Has has,
                  hold& answer) {
  std::size_t looked_at = 0;
  for (auto slot = chain.first();
       slot != work_slot::none && answer.holders.size() < hold::max_named
       && looked_at++ < hold::max_looked_at;
       slot = chain.after(book.works(), slot))
    if (has(book[slot]))
      answer.holders.push_back(book[slot].id);
}

void count_those_before(const work_book& book, work_slot slot, hold& answer) {
  const auto& queue = book[book[slot].owner].queued;
  for (auto other = queue.first();
       other != slot && answer.before < hold::max_looked_at;
       other = queue.after(book.works(), other))
    ++answer.before;
}

hold hold_of_queued(const work_book& book, work_slot slot) {
  hold answer;
  const auto owner = book[slot].owner;
  const auto& request = book[owner];
  const auto& limits = book.settings().limits;
  count_those_before(book, slot, answer);
  if (request.slots >= limits.max_in_flight_per_request) {
    answer.kind = hold_kind::request_slots;
    answer.limit = limits.max_in_flight_per_request;
    answer.held_by = request.slots;
    name_holders(
      book, request.live,
      [](const work_record& work) { return traits_of(work.place).slot; },
      answer);
  } else if (book.ring().is_blocked(owner)) {
    answer.kind = hold_kind::branch;
    answer.held_by = request.branches;
    const auto first = request.publishable.first();
    if (book[first].place == work_place::delayed) {
      answer.held_by = 1;
      answer.holders.push_back(book[first].id);
    } else {
      name_holders(
        book, request.live,
        [](const work_record& work) { return traits_of(work.place).branch; },
        answer);
    }
  } else if (book.wanted() == 0) {
    answer.kind = hold_kind::slots;
  }
  return answer;
}

} // namespace

hold hold_of(const work_book& book, work_slot slot) {
  hold answer;
  const auto& work = book[slot];
  switch (work.place) {
  case work_place::queued:
  case work_place::resuming:
    answer = hold_of_queued(book, slot);
    break;
  case work_place::delayed:
    answer.kind = hold_kind::delay;
    answer.until = book.due_at(slot);
    break;
  case work_place::prepared:
  case work_place::regaining:
    answer.kind = book.free_slots() == 0 ? hold_kind::slots : hold_kind::turn;
    break;
  case work_place::in_flight:
    answer.kind = hold_kind::backend;
    break;
  case work_place::parked:
    answer.kind = hold_kind::waits;
    break;
  case work_place::abandoned_in_flight:
  case work_place::abandoned_parked:
    answer.kind = hold_kind::abandoned;
    break;
  case work_place::failed_in_flight:
    answer.kind = hold_kind::other_ranks;
    break;
  case work_place::completing:
    answer.kind = hold_kind::sibling;
    answer.held_by = 1;
    answer.holders.push_back(book[book[work.owner].publishable.first()].id);
    break;
  case work_place::held:
    answer.kind = hold_kind::not_durable;
    break;
  }
  if (answer.kind == hold_kind::slots) {
    answer.limit = book.settings().limits.max_in_flight_global;
    answer.held_by = book.counts().slots_in_use();
    name_holders(
      book, book.at_backends(),
      [](const work_record& other) { return holds_slot(other.place); }, answer);
  }
  return answer;
}

} // namespace turnstile
