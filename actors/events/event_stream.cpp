#include "actors/events/event_stream.hpp"

#include "core/base/check.hpp"

#include <algorithm>
#include <utility>

namespace turnstile {

namespace {

bool is_terminal(const wire::Event& event) {
  return event.has_agent_done() || event.has_run_done();
}

// What is kept of a terminal event for good. A copy, since a field that was
// cleared keeps its memory.
wire::Event lean(wire::Event event) {
  if (event.has_agent_done()) {
    auto& done = *event.mutable_agent_done();
    done.clear_output_json();
    done.clear_findings();
    done.clear_prompt();
    done.set_trimmed(true);
  }
  return wire::Event{std::as_const(event)};
}

} // namespace

event_stream::event_stream(std::string run_id, event_stream_bounds bounds,
                           std::uint64_t first)
  : run_id_(std::move(run_id)), bounds_(bounds), next_(first) {}

status event_stream::validate(const wire::Event& event) {
  if (event.kind_case() == wire::Event::KIND_NOT_SET)
    return fail(errc::invalid_argument, "Event.kind: it is missing");
  if (event.has_gap())
    return fail(errc::invalid_argument,
                "Event.gap: only the log itself says what is missing");
  return {};
}

status event_stream::append(wire::Event event, std::int64_t unix_ns) {
  if (ended_)
    return fail(errc::state, "run " + run_id_ + " has ended with its event "
                               + std::to_string(next_ - 1)
                               + "; none can follow");
  ended_ = event.has_run_done();
  event.set_number(next_++);
  event.set_ts_ns(unix_ns);
  last_ns_ = unix_ns;
  bytes_ += event.ByteSizeLong();
  ring_.push_back(std::move(event));
  while (ring_.size() > bounds_.max_events || bytes_ > bounds_.max_bytes)
    drop_oldest();
  return {};
}

void event_stream::drop_oldest() {
  auto oldest = std::move(ring_.front());
  ring_.pop_front();
  bytes_ -= oldest.ByteSizeLong();
  if (is_terminal(oldest))
    terminal_.push_back(lean(std::move(oldest)));
}

result<wire::EventBatch> event_stream::read(std::uint64_t from,
                                            std::uint32_t max) const {
  auto at = std::max<std::uint64_t>(from, 1);
  if (at > next_)
    return fail(errc::invalid_argument,
                "EventsQuery.from: run " + run_id_ + " has no event "
                  + std::to_string(from) + " yet; its next one is "
                  + std::to_string(next_));
  auto old = std::lower_bound(
    terminal_.begin(), terminal_.end(), at,
    [](const wire::Event& one, std::uint64_t n) { return one.number() < n; });
  // The first event at `at` or after it that is kept, or null.
  auto first_kept = [&]() -> const wire::Event* {
    if (old != terminal_.end())
      return &*old;
    const auto number = std::max(at, whole_from());
    return number < next_ ? &ring_[number - whole_from()] : nullptr;
  };
  wire::EventBatch batch;
  auto room = max == 0 ? default_batch : std::min(max, max_batch);
  for (; room > 0 && at < next_; --room) {
    const auto* kept = first_kept();
    if (kept == nullptr) {
      *batch.add_events() = gap(at, next_ - 1, last_ns_);
    } else if (kept->number() > at) {
      *batch.add_events() = gap(at, kept->number() - 1, kept->ts_ns());
    } else {
      *batch.add_events() = *kept;
      if (old != terminal_.end())
        ++old;
    }
    at = batch.events().rbegin()->number() + 1;
  }
  batch.set_next(at);
  batch.set_ended(ended_ && at == next_);
  return batch;
}

std::size_t event_stream::size() const noexcept {
  return terminal_.size() + ring_.size();
}

wire::Event event_stream::gap(std::uint64_t first, std::uint64_t last,
                              std::int64_t unix_ns) const {
  wire::Event event;
  event.set_run_id(run_id_);
  event.set_number(last);
  event.set_ts_ns(unix_ns);
  event.mutable_gap()->set_first(first);
  event.mutable_gap()->set_last(last);
  return event;
}

void event_stream::audit() const {
  std::size_t bytes = 0;
  auto number = whole_from();
  for (const auto& event : ring_) {
    TURNSTILE_CHECK(event.number() == number++);
    TURNSTILE_CHECK(!event.has_run_done() || event.number() + 1 == next_);
    bytes += event.ByteSizeLong();
  }
  TURNSTILE_CHECK(bytes == bytes_);
  TURNSTILE_CHECK(ring_.size() <= bounds_.max_events);
  TURNSTILE_CHECK(bytes_ <= bounds_.max_bytes);
  std::uint64_t before = 0;
  for (const auto& event : terminal_) {
    TURNSTILE_CHECK(is_terminal(event));
    TURNSTILE_CHECK(before < event.number());
    before = event.number();
  }
  TURNSTILE_CHECK(before < whole_from());
}

} // namespace turnstile
