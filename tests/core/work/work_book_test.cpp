#include "core/work/work_book.hpp"

#include "tests/catch.hpp"
#include "tests/core/work/book_with.hpp"

#include <vector>

using namespace turnstile;

TEST_CASE("work_book says what keeps a request from registering",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_active_requests = 1;
  work_book book{settings};
  auto slot = book.begin(alice, false, false);

  CHECK(to_string(book.may_begin(alice).error())
        == "duplicate_request: request 1 is active");
  CHECK(to_string(book.may_begin(bob).error())
        == "capacity: max_active_requests 1 of the scheduler is reached; a "
           "request has to end first");

  book.end_request(slot, request_status::failed, false);
  CHECK(book.may_begin(bob));
  CHECK(to_string(book.may_begin(alice).error())
        == "duplicate_request: request 1 is failed; forget it before its "
           "identity is used again");
}

TEST_CASE("work_book names the limit, its value, whose it is and what frees it",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_queued_work = 3;
  settings.limits.max_queued_per_request = 2;
  work_book book{settings};
  auto slot = book.begin(alice, true, false);
  accept(book, slot);

  CHECK(book.may_accept(slot, 1));
  CHECK(to_string(book.may_accept(slot, 2).error())
        == "capacity: max_queued_per_request 2 leaves request 1 1 places, not "
           "2; works of this request have to end first");
  CHECK(book.may_accept_globally(2));
  CHECK(to_string(book.may_accept_globally(3).error())
        == "capacity: max_queued_work 3 of the scheduler leaves 2 places, not "
           "3; works have to end first");
  CHECK_FALSE(book.may_accept_globally(UINT64_MAX)); // and does not overflow
  CHECK_FALSE(book.may_accept(slot, UINT64_MAX));
}

TEST_CASE("work_book leads a work from place to place", "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, false, false);
  auto slot = accept(book, owner);
  CHECK(book[slot].place == work_place::queued);

  CHECK(book.take_turn() == slot);
  CHECK(book[slot].place == work_place::prepared);
  CHECK(book.first_prepared() == slot);
  book.submit(slot);
  CHECK(book[slot].place == work_place::in_flight);
  CHECK(book[slot].submissions == 1);
  book.audit();

  const auto id = book[slot].id;
  book.end(slot, work_end::committed, work_lifecycle::committed);
  book.audit();
  CHECK(book.find(id) == std::nullopt);
  CHECK(book.lifecycle(id) == work_lifecycle::committed);
}

TEST_CASE("work_book gives a request that permits one branch one turn",
          "[core][work]") {
  auto parallel = GENERATE(false, true);
  work_book book{wide()};
  auto owner = book.begin(alice, parallel, false);
  accept(book, owner);
  accept(book, owner);

  CHECK(book.take_turn());
  CHECK(book.take_turn().has_value() == parallel);
  book.audit();
}

TEST_CASE("work_book gives a request no more branches than slots of its own",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_in_flight_per_request = 2;
  work_book book{settings};
  auto owner = book.begin(alice, true, false);
  auto first = submit_next(book, owner);
  submit_next(book, owner);
  accept(book, owner);
  CHECK(book.take_turn() == std::nullopt);

  book.park(first); // keeps its branch, not its slot

  CHECK(book.take_turn());
  book.audit();
}

TEST_CASE("work_book counts room by free slots and by submissions a turn",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_in_flight_global = 3;
  settings.limits.max_new_submissions_per_turn = 2;
  work_book book{settings};
  auto owner = book.begin(alice, true, false);
  CHECK(book.room() == 2);
  CHECK(book.wanted() == 2);
  CHECK_FALSE(book.can_go_on());

  submit_next(book, owner);
  submit_next(book, owner);
  accept(book, owner);
  CHECK(book.free_slots() == 1);
  CHECK(book.room() == 1);
  CHECK(book.can_go_on());

  book.take_turn(); // prepared: takes the last of the room
  CHECK(book.wanted() == 0);
  CHECK(book.can_go_on());
}

TEST_CASE("work_book queues requeued works before their siblings",
          "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, false, false);
  auto slot = submit_next(book, owner);
  auto sibling = accept(book, owner);

  book.requeue(slot, std::nullopt);
  book.audit();

  CHECK(book.take_turn() == slot);
  CHECK(book[slot].place == work_place::prepared);
  CHECK(book[sibling].place == work_place::queued);
  CHECK(book.counts().report().requeues == 1);
}

TEST_CASE("work_book keeps delayed works beside the queue until they are due",
          "[core][work]") {
  work_book book{wide()};
  auto owner = book.begin(alice, false, false);
  auto slot = submit_next(book, owner);

  book.requeue(slot, at(50));

  CHECK(book.take_turn() == std::nullopt);
  CHECK(book.next_instant() == at(50));
  std::vector<work_slot> due;
  book.take_due(at(49), due);
  CHECK(due.empty());
  book.take_due(at(50), due);
  REQUIRE(due == std::vector<work_slot>{slot});
  book.undelay(slot);
  book.audit();
  CHECK(book.take_turn() == slot);
}

TEST_CASE("work_book takes expired works by request and sequence",
          "[core][work]") {
  work_book book{wide()};
  auto second = book.begin(bob, false, false);
  auto first = book.begin(alice, false, false);
  auto b0 = book.accept(second, at(10), {});
  auto a0 = book.accept(first, at(30), {});
  auto a1 = book.accept(first, at(20), {});
  book.accept(first, at(31), {});

  std::vector<work_slot> due;
  book.take_expired(at(30), due);

  CHECK(due == std::vector<work_slot>{a0, a1, b0});
  CHECK(book.next_instant() == at(31));
}
