#include "actors/events/event_stream.hpp"
#include "tests/actors/events/some_events.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Random events and questions: the stream must say what a model says that
// keeps everything and looks through all of it, each time.

using namespace event_tests;

namespace {

class naive_stream {
public:
  explicit naive_stream(event_stream_bounds bounds) : bounds_(bounds) {}

  bool append(wire::Event event, std::int64_t unix_ns) {
    if (ended())
      return false;
    event.set_number(all_.size() + 1);
    event.set_ts_ns(unix_ns);
    all_.push_back(event);
    return true;
  }

  [[nodiscard]] bool ended() const {
    return !all_.empty() && all_.back().has_run_done();
  }

  [[nodiscard]] std::uint64_t next() const { return all_.size() + 1; }

  [[nodiscard]] std::string read(std::uint64_t from, std::size_t max) const {
    std::string said;
    auto at = std::max<std::uint64_t>(from, 1);
    for (std::size_t told = 0; told < max && at < next(); ++told) {
      auto first = at;
      while (at < next() && is_gone(at))
        ++at;
      said += first < at ? '[' + std::to_string(first) + ','
                             + std::to_string(at - 1) + ']'
                         : shown(at++);
      said += "; ";
    }
    return said + "next " + std::to_string(at)
           + (ended() && at == next() ? ", ended" : "");
  }

private:
  /// The first number of the longest row of newest events within the bounds.
  [[nodiscard]] std::uint64_t whole_from() const {
    std::size_t events = 0;
    std::size_t bytes = 0;
    auto begin = next();
    while (begin > 1) {
      bytes += all_[begin - 2].ByteSizeLong();
      if (++events > bounds_.max_events || bytes > bounds_.max_bytes)
        break;
      --begin;
    }
    return begin;
  }

  [[nodiscard]] bool is_gone(std::uint64_t number) const {
    const auto& event = all_[number - 1];
    return number < whole_from() && !event.has_agent_done()
           && !event.has_run_done();
  }

  [[nodiscard]] std::string shown(std::uint64_t number) const {
    const auto& event = all_[number - 1];
    return text(event)
           + (event.has_agent_done() && number < whole_from() ? "-" : "");
  }

  event_stream_bounds bounds_;
  std::vector<wire::Event> all_;
};

wire::Event some_event(std::mt19937_64& dice) {
  switch (dice() % 16) {
  case 0:
  case 1:
    return agent_done(std::to_string(dice() % 1000));
  case 2:
    return started();
  case 3:
    if (dice() % 16 == 0)
      return run_done();
    [[fallthrough]];
  default:
    return line(std::string(dice() % 60, 'x'));
  }
}

} // namespace

TEST_CASE("event_stream answers as a model that keeps everything",
          "[actors][events]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 dice{seed};
    const event_stream_bounds bounds{dice() % 20, dice() % 1500};
    event_stream stream{"r", bounds};
    naive_stream model{bounds};
    for (int step = 0; step < 120; ++step) {
      const auto event = some_event(dice);
      if (stream.append(event, step).has_value() != model.append(event, step))
        FAIL("they disagree on what is refused");
      stream.audit();
      const auto from = dice() % (model.next() + 1);
      const auto max = dice() % 10 + 1;
      const auto batch = stream.read(from, static_cast<std::uint32_t>(max));
      REQUIRE(batch);
      REQUIRE(text(*batch) == model.read(from, max));
      REQUIRE_FALSE(stream.read(model.next() + 1 + dice() % 9, 0));
    }
  }
}

TEST_CASE("who goes on with `next` sees every number of a run once",
          "[actors][events]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 dice{seed};
    event_stream stream{"r", {dice() % 10 + 1, 100'000}};
    std::uint64_t seen = 0; // all up to this number
    std::uint64_t cursor = 0;
    std::string ends_told;
    std::string ends_seen;
    bool ended = false;
    while (!ended) {
      for (auto count = dice() % 30; count > 0 && !stream.ended(); --count) {
        const auto event = stream.next() == 300 ? run_done() : some_event(dice);
        REQUIRE(stream.append(event, 0));
        if (event.has_agent_done())
          ends_told += event.agent_done().agent_id() + ' ';
      }
      const auto batch =
        stream.read(cursor, static_cast<std::uint32_t>(dice() % 8 + 1)).value();
      for (const auto& event : batch.events()) {
        const auto first =
          event.has_gap() ? event.gap().first() : event.number();
        REQUIRE(first == seen + 1);
        seen = event.number();
        if (event.has_agent_done())
          ends_seen += event.agent_done().agent_id() + ' ';
      }
      cursor = batch.next();
      REQUIRE(cursor == seen + 1);
      ended = batch.ended();
    }
    CHECK(stream.ended());
    CHECK(cursor == stream.next());
    CHECK(ends_seen == ends_told);
  }
}
