#include "core/work/hold.hpp"

#include "tests/catch.hpp"
#include "tests/core/turn/counter_program.hpp"
#include "tests/core/work/book_with.hpp"

#include <string>
#include <string_view>

// What holds a work, as books and schedulers say it.

using namespace turnstile;

namespace {

std::string_view to_string(hold_kind kind) {
  constexpr std::string_view names[] = {
    "turn",  "delay",     "request_slots", "branch",  "slots",      "backend",
    "waits", "abandoned", "other_ranks",   "sibling", "not_durable"};
  return names[static_cast<std::size_t>(kind)];
}

/// As in "slots 2, held by 2: 0 1, 3 before".
std::string text(const hold& what) {
  std::string text{to_string(what.kind)};
  if (what.limit > 0)
    text.append(" ").append(std::to_string(what.limit));
  if (what.held_by > 0)
    text.append(", held by ").append(std::to_string(what.held_by)).append(":");
  for (const auto& id : what.holders)
    text.append(" ").append(std::to_string(id.sequence));
  if (what.before > 0)
    text.append(", ").append(std::to_string(what.before)).append(" before");
  if (what.until)
    text.append(", until ")
      .append(std::to_string(what.until->time_since_epoch().count()));
  return text;
}

} // namespace

TEST_CASE("a work that stands in its request's queue is held by what holds the "
          "first there",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_in_flight_global = 2;
  work_book book{settings};
  const auto owner = book.begin(alice, true, false);
  const auto running = submit_next(book, owner);
  submit_next(book, owner);
  const auto head = accept(book, owner);
  const auto next = accept(book, owner);

  CHECK(text(hold_of(book, running)) == "backend");
  CHECK(text(hold_of(book, head)) == "slots 2, held by 2: 0 1");
  CHECK(text(hold_of(book, next)) == "slots 2, held by 2: 0 1, 1 before");
  book.end(running, work_end::committed, work_lifecycle::committed);
  CHECK(text(hold_of(book, head)) == "turn");
}

TEST_CASE("a work is held by the slots that its request may have",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_in_flight_per_request = 1;
  work_book book{settings};
  const auto owner = book.begin(alice, true, false);
  submit_next(book, owner);
  const auto head = accept(book, owner);
  CHECK(text(hold_of(book, head)) == "request_slots 1, held by 1: 0");
}

TEST_CASE("a work is held by the branch of its sibling", "[core][work]") {
  work_book book{wide()};
  const auto owner = book.begin(alice, false, false);
  const auto first = submit_next(book, owner);
  const auto head = accept(book, owner);
  CHECK(text(hold_of(book, head)) == "branch, held by 1: 0");
  book.abandon(first, at(1)); // it can publish no more
  CHECK(text(hold_of(book, first)) == "abandoned");
  CHECK(text(hold_of(book, head)) == "turn");
}

TEST_CASE("a work that wants commits in order is held by a sibling that waits "
          "for its next try",
          "[core][work]") {
  work_book book{wide()};
  const auto owner = book.begin(alice, false, true);
  const auto first = submit_next(book, owner);
  const auto head = accept(book, owner);
  book.requeue(first, at(70));
  CHECK(text(hold_of(book, first)) == "delay, until 70");
  CHECK(text(hold_of(book, head)) == "branch, held by 1: 0");
}

TEST_CASE("what a backend has is held by it, or by what it waits for",
          "[core][work]") {
  work_book book{wide()};
  const auto owner = book.begin(alice, true, true);
  const auto first = submit_next(book, owner);
  const auto second = submit_next(book, owner);
  const auto third = submit_next(book, owner);
  book.park(second);
  book.wait_for_siblings(third);
  CHECK(text(hold_of(book, second)) == "waits");
  CHECK(text(hold_of(book, third)) == "sibling, held by 1: 0");
  book.fail_in_flight(first);
  CHECK(text(hold_of(book, first)) == "other_ranks");
  book.hold(third);
  CHECK(text(hold_of(book, third)) == "not_durable");
}

TEST_CASE("the first eight holders are named, and all are counted",
          "[core][work]") {
  auto settings = wide();
  settings.limits.max_in_flight_global = 20;
  settings.limits.max_in_flight_per_request = 20;
  settings.limits.max_new_submissions_per_turn = 20;
  work_book book{settings};
  const auto owner = book.begin(alice, true, false);
  for (int i = 0; i < 20; ++i)
    submit_next(book, owner);
  const auto other = book.begin(bob, true, false);
  CHECK(text(hold_of(book, accept(book, other)))
        == "slots 20, held by 20: 0 1 2 3 4 5 6 7");
}

TEST_CASE("a scheduler says of works that have not ended what holds them",
          "[core][work]") {
  auto scheduler = counting_with(scheduler_limits{});
  adder backend;
  REQUIRE(scheduler.register_request(alice, {}));
  const auto runs = *scheduler.enqueue(alice, {1});
  const auto waits = *scheduler.enqueue(alice, {1});
  REQUIRE(scheduler.run_local_turn(at(1), backend.executor()));
  CHECK(text(*scheduler.hold_of(runs)) == "backend");
  CHECK(text(*scheduler.hold_of(waits)) == "request_slots 1, held by 1: 0");
  REQUIRE(scheduler.cancel_work(waits, at(2)));
  CHECK_FALSE(scheduler.hold_of(waits));
}
