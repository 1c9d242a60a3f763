#pragma once

#include "core/work/work_book.hpp"
#include "tests/core/alice_and_bob.hpp"

namespace turnstile {

/// A book with wide limits.
inline scheduler_settings wide() {
  scheduler_settings settings;
  settings.limits.max_new_submissions_per_turn = 8;
  settings.limits.max_in_flight_per_request = 8;
  return settings;
}

/// Accepts a work without a deadline.
inline work_slot accept(work_book& book, request_slot owner) {
  return book.accept(owner, instant::max(), {});
}

/// Accepts a work and leads it to its backend. @pre the owner's turn is next
inline work_slot submit_next(work_book& book, request_slot owner) {
  accept(book, owner);
  auto slot = *book.take_turn();
  book.submit(slot);
  return slot;
}

} // namespace turnstile
