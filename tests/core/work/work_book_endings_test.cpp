#include "core/work/work_book.hpp"
#include "tests/catch.hpp"
#include "tests/core/work/book_with.hpp"

#include <vector>

using namespace turnstile;

namespace {

/// Ends works and requests until nothing is in progress, as a turn would.
void drop(work_book& book, request_slot owner) {
  std::vector<work_slot> live;
  book.live_works(owner, live);
  for (auto slot : live)
    book.end(slot, work_end::discarded, work_lifecycle::abandoned);
}

} // namespace

TEST_CASE("work_book retains abandoned work in its slot", "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, true, false);
  auto slot = submit_next(book, owner);
  book.set_resources(slot, 4);

  book.abandon(slot, at(10));
  book.audit();

  CHECK(book[slot].place == work_place::abandoned_in_flight);
  CHECK(book.counts().slots_in_use() == 1);
  CHECK(book.counts().report().abandoned_retained_resources == 4);
  CHECK(book[owner].branches == 0); // it can never be published
  book.end(slot, work_end::released, work_lifecycle::abandoned);
  book.audit();
  CHECK(book.counts().report().abandoned_retained_resources == 0);
}

TEST_CASE("work_book watches retained work for the bound that comes first",
          "[core][work]") {
  auto [overdue, reclaim, next] =
    GENERATE(table<std::optional<duration>, std::optional<duration>, instant>({
      {duration{50}, duration{90}, at(60)},
      {duration{90}, duration{50}, at(60)},
      {duration{50}, std::nullopt, at(60)},
      {std::nullopt, duration{50}, at(60)},
    }));
  auto settings = wide();
  settings.overdue_after = overdue;
  settings.reclaim_after = reclaim;
  work_book book{settings};
  auto slot = submit_next(book, book.begin(alice, true, false));

  book.abandon(slot, at(10));

  CHECK(book.next_instant() == next);
}

TEST_CASE("work_book watches nothing without a bound", "[core][work]") {
  work_book book{wide()};
  auto slot = submit_next(book, book.begin(alice, true, false));

  book.abandon(slot, at(10));

  CHECK(book.next_instant() == std::nullopt);
}

TEST_CASE("work_book remembers so many ended requests, the oldest least",
          "[core][work]") {
  auto settings = wide();
  settings.keep.max_ended_requests = 1;
  work_book book{settings};
  auto first = book.begin(alice, true, false);
  auto second = book.begin(bob, true, false);
  book.end_request(first, request_status::finished, false);
  CHECK(book.oldest_surplus_request() == std::nullopt);

  book.begin_verb();
  book.end_request(second, request_status::finished, false);

  CHECK(book.oldest_surplus_request() == first);
  book.drop(first);
  book.audit();
  CHECK(book.oldest_surplus_request() == std::nullopt);
}

TEST_CASE("work_book drops no request that a backend still works for",
          "[core][work]") {
  auto settings = wide();
  settings.keep.max_ended_requests = 0;
  work_book book{settings};
  auto owner = book.begin(alice, true, false);
  auto slot = submit_next(book, owner);
  book.abandon(slot, at(10));
  book.end_request(owner, request_status::cancelled, false);
  book.begin_verb();
  CHECK(book.oldest_surplus_request() == std::nullopt);

  book.end(slot, work_end::released, work_lifecycle::abandoned);

  CHECK(book.oldest_surplus_request() == owner);
}

TEST_CASE("work_book drops nothing that the verb under way tells",
          "[core][work]") {
  auto settings = wide();
  settings.keep.max_ended_requests = 0;
  settings.keep.max_retained_states = 0;
  work_book book{settings};
  book.begin_verb();
  auto owner = book.begin(alice, true, false);

  book.end_request(owner, request_status::finished, false);

  CHECK(book.oldest_surplus_state() == std::nullopt);
  CHECK(book.oldest_surplus_request() == std::nullopt);
  book.begin_verb();
  CHECK(book.oldest_surplus_state() == owner);
  CHECK(book.oldest_surplus_request() == owner);
}

TEST_CASE("work_book drops no end that was not told", "[core][work]") {
  auto settings = wide();
  settings.keep.max_ended_requests = 0;
  settings.keep.max_retained_states = 0;
  work_book book{settings};
  auto owner = book.begin(alice, true, false);
  book.end_request(owner, request_status::finished, true);
  book.begin_verb();
  CHECK(book.oldest_surplus_state() == std::nullopt);
  CHECK(book.oldest_surplus_request() == std::nullopt);

  book.end_told(owner);
  book.begin_verb();
  book.audit();

  CHECK(book.oldest_surplus_state() == owner);
  CHECK(book.oldest_surplus_request() == owner);
}

TEST_CASE("work_book frees an identity and remembers the life behind it",
          "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, true, false);
  const auto id = book[accept(book, owner)].id;
  drop(book, owner);
  book.end_request(owner, request_status::cancelled, false);

  book.forget(owner);
  book.audit();

  CHECK(book.may_begin(alice));
  CHECK(book.lifecycle(id) == work_lifecycle::abandoned);
  auto next = book.begin(alice, true, false);
  CHECK(book[next].life > id.life);
  CHECK(book.active(alice) == next);
}

TEST_CASE("work_book lets ordered siblings wait without blocking the first",
          "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, true, true);
  auto first = submit_next(book, owner);
  auto second = submit_next(book, owner);
  book.requeue(first, at(50));
  book.wait_for_siblings(second);
  auto third = accept(book, owner);
  book.permit(owner, false, true); // from now on, one branch at a time
  book.audit();
  CHECK(book.take_turn() == std::nullopt); // the third would wait for the first

  std::vector<work_slot> due;
  book.take_due(at(50), due);
  book.undelay(first);
  book.audit();

  CHECK(book.take_turn() == first);
  CHECK(book[third].place == work_place::queued);
}
