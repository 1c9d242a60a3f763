#include "actors/events/event_stream.hpp"

#include "tests/actors/events/some_events.hpp"
#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

using namespace event_tests;

namespace {

/// A stream that keeps `max_events` whole, and has these events.
event_stream stream_of(std::size_t max_events,
                       const std::vector<wire::Event>& events) {
  event_stream stream{"r", {max_events}};
  std::int64_t time = 0;
  for (const auto& event : events)
    REQUIRE(stream.append(event, time += 10));
  stream.audit();
  return stream;
}

std::string read(const event_stream& stream, std::uint64_t from,
                 std::uint32_t max = 0) {
  const auto batch = stream.read(from, max);
  return batch ? text(*batch) : to_string(batch.error());
}

} // namespace

TEST_CASE("event_stream numbers events from one and dates them, whatever they "
          "say",
          "[actors][events]") {
  event_stream stream{"r"};
  auto liar = started();
  liar.set_number(99);
  liar.set_ts_ns(99);
  REQUIRE(stream.append(liar, 5));
  REQUIRE(stream.append(line("a"), 7));
  const auto batch = stream.read(0, 0).value();
  CHECK(text(batch) == "1 run_started; 2 log a; next 3");
  CHECK(batch.events(0).ts_ns() == 5);
  CHECK(batch.events(1).ts_ns() == 7);
}

TEST_CASE("event_stream is read from a cursor on", "[actors][events]") {
  const auto stream =
    stream_of(8, {started(), line("a"), agent_done("x"), run_done()});
  auto [from, max,
        what] = GENERATE(table<std::uint64_t, std::uint32_t, std::string>({
    {0, 0, "1 run_started; 2 log a; 3 agent_done x; 4 run_done; next 5, ended"},
    {1, 2, "1 run_started; 2 log a; next 3"},
    {3, 1, "3 agent_done x; next 4"},
    {3, 2, "3 agent_done x; 4 run_done; next 5, ended"},
    {5, 0, "next 5, ended"},
    {6, 0,
     "invalid_argument: EventsQuery.from: run r has no event 6 yet; its "
     "next one is 5"},
    {~std::uint64_t{0}, 0,
     "invalid_argument: EventsQuery.from: run r has no event "
     "18446744073709551615 yet; its next one is 5"},
  }));
  CHECK(read(stream, from, max) == what);
}

TEST_CASE("event_stream reads at most as many events as are asked for, and "
          "never too many",
          "[actors][events]") {
  event_stream stream{"r", {10'000}};
  for (int i = 0; i < 10'000; ++i)
    REQUIRE(stream.append(line("a"), 0));
  CHECK(stream.read(1, 0)->events_size() == 256);
  CHECK(stream.read(1, 3)->events_size() == 3);
  CHECK(stream.read(1, 100'000)->events_size() == 4096);
}

TEST_CASE("event_stream has gaps where it let events go, between the terminal "
          "ones",
          "[actors][events]") {
  const auto stream =
    stream_of(2, {started(), line("a"), agent_done("x"), line("b"), line("c"),
                  agent_done("y"), agent_done("z"), line("d"), run_done()});
  auto [from, max, what] =
    GENERATE(table<std::uint64_t, std::uint32_t, std::string>({
      {1, 0,
       "[1,2]; 3 agent_done x-; [4,5]; 6 agent_done y-; 7 agent_done z-; "
       "8 log d; 9 run_done; next 10, ended"},
      {2, 1, "[2,2]; next 3"},
      {3, 2, "3 agent_done x-; [4,5]; next 6"},
      {5, 2, "[5,5]; 6 agent_done y-; next 7"},
      {7, 1, "7 agent_done z-; next 8"},
      {8, 1, "8 log d; next 9"},
    }));
  CHECK(read(stream, from, max) == what);
}

TEST_CASE("a gap has its last number and the time of the event behind it",
          "[actors][events]") {
  const auto stream = stream_of(1, {started(), line("a"), line("b")});
  const auto batch = stream.read(1, 0).value();
  REQUIRE(text(batch) == "[1,2]; 3 log b; next 4");
  CHECK(event_json(batch.events(0))
        == R"({"type":"gap","run_id":"r","number":2,)"
           R"("ts":"1970-01-01T00:00:00.000000030Z","first":1,"last":2})");
}

TEST_CASE("a terminal event that had to leave is kept without what is big",
          "[actors][events]") {
  const auto stream = stream_of(1, {agent_done("x"), line("a")});
  const auto kept = stream.read(1, 1)->events(0).agent_done();
  CHECK(kept.agent_id() == "x");
  CHECK(kept.status() == wire::AGENT_STATUS_OK);
  CHECK(kept.backend() == "mock");
  CHECK(kept.trimmed());
  CHECK(kept.output_json().empty());
  CHECK(kept.findings().empty());
  CHECK(kept.prompt().empty());
}

TEST_CASE("a terminal event is whole as long as it is among the newest",
          "[actors][events]") {
  const auto stream = stream_of(2, {agent_done("x"), line("a")});
  const auto kept = stream.read(1, 1)->events(0).agent_done();
  CHECK_FALSE(kept.trimmed());
  CHECK(kept.output_json().size() == 102);
  CHECK(kept.prompt() == "Read all of it.");
}

TEST_CASE("event_stream keeps within its bytes, and an event that is too big "
          "alone is a gap at once",
          "[actors][events]") {
  event_stream stream{"r", {100, 200}};
  REQUIRE(stream.append(line("a"), 0));
  REQUIRE(stream.append(line("b"), 0));
  CHECK(read(stream, 1) == "1 log a; 2 log b; next 3");
  REQUIRE(stream.append(line(std::string(1000, 'x')), 0));
  CHECK(read(stream, 1) == "[1,3]; next 4");
  REQUIRE(stream.append(agent_done("x"), 0));
  stream.audit();
  CHECK(stream.bytes() <= 200);
  CHECK(read(stream, 2) == "[2,3]; 4 agent_done x; next 5");
}

TEST_CASE("nothing follows the end of a run", "[actors][events]") {
  auto stream = stream_of(8, {started(), run_done()});
  const auto late = stream.append(line("late"), 0);
  REQUIRE_FALSE(late);
  CHECK(to_string(late.error())
        == "state: run r has ended with its event 2; none can follow");
  CHECK(read(stream, 1) == "1 run_started; 2 run_done; next 3, ended");
}

TEST_CASE("event_stream takes no gaps, and nothing that says nothing",
          "[actors][events]") {
  wire::Event gap;
  gap.mutable_gap();
  CHECK(to_string(event_stream::validate(gap).error())
        == "invalid_argument: Event.gap: only the log itself says what is "
           "missing");
  CHECK(to_string(event_stream::validate({}).error())
        == "invalid_argument: Event.kind: it is missing");
}

TEST_CASE("event_stream holds its bounds over a million events",
          "[actors][events]") {
  constexpr std::size_t max_events = 1000;
  constexpr std::size_t max_bytes = 40'000;
  event_stream stream{"r", {max_events, max_bytes}};
  std::size_t ended = 0;
  const auto said = line("so far, so good");
  for (int i = 0; i < 1'000'000; ++i) {
    const bool ends = i % 1000 == 999;
    ended += ends;
    REQUIRE(stream.append(ends ? agent_done("x") : said, i));
    const auto bounded =
      stream.size() <= max_events + ended && stream.bytes() <= max_bytes;
    if (!bounded)
      FAIL("not bounded after event " << i);
  }
  stream.audit();
  CHECK(stream.next() == 1'000'001);
  // A reader that was away all the time still hears of every end.
  std::size_t heard = 0;
  for (std::uint64_t at = 1; at < stream.next();) {
    const auto batch = stream.read(at, 0).value();
    for (const auto& event : batch.events())
      heard += event.has_agent_done();
    at = batch.next();
  }
  CHECK(heard == ended);
}
