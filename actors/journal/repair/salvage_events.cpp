#include "actors/journal/repair/columns.hpp"
#include "actors/journal/repair/salvage.hpp"
#include "messages/event.pb.h"

#include <algorithm>
#include <map>
#include <utility>

// Events, and gaps where some were.

namespace turnstile::repair {

void salvage::bring_events() {
  std::map<std::int64_t, row_place> heads;
  for (const auto& one : rows_.streams)
    if (is_key(one.id))
      heads.emplace(one.id, one);
  for (const auto& one : rows_.events)
    heads.emplace(row_id{one.id}.key(), row_place{});
  for (const auto& [key, head] : heads)
    bring_stream(key, owned_by(key, rows_.events));
}

void salvage::bring_stream(std::int64_t key, std::span<const row_place> rows) {
  row head;
  const auto known = std::lower_bound(
    rows_.streams.begin(), rows_.streams.end(), key,
    [](const row_place& a, std::int64_t id) { return a.id < id; });
  if (known != rows_.streams.end() && known->id == key)
    head = reader_.read(*known);
  const auto is_known = is_readable(head, streams::run, streams::ended);
  std::string run = is_known ? head.columns[streams::run].bytes : "";
  std::uint64_t next = 1;
  auto ended = false;
  auto ts_ns = std::int64_t{0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> holes;
  for (const auto& where : rows) {
    auto it = reader_.read(where);
    wire::Event event;
    if (!is_readable(it, 1, events::event)
        || !reads(it.columns[events::event], event))
      continue;
    const auto place = row_id{where.id}.place();
    if (place > next)
      holes.emplace_back(next, place - 1);
    next = place + 1;
    run = event.run_id();
    ended = event.has_run_done();
    ts_ns = event.ts_ns();
    bring_event(std::move(it));
  }
  if (is_known && !known->is_older) {
    const auto last =
      static_cast<std::uint64_t>(head.columns[streams::next].number);
    if (last > next)
      holes.emplace_back(next, last - 1);
    next = std::max(next, last);
    ended = ended || head.columns[streams::ended].number != 0;
  }
  if (run.empty())
    return; // nothing is left of it
  for (const auto& [first, last] : holes)
    put_gap(key, run, first, last, ts_ns);
  head.id = key;
  head.columns.assign(4, nothing());
  head.columns[streams::run] = text(run);
  head.columns[streams::next] = number(static_cast<std::int64_t>(next));
  head.columns[streams::ended] = number(ended ? 1 : 0);
  into_.put("streams", head);
}

// What it leaves to its work's row may be lost, and then it says so.
void salvage::bring_event(row&& it) {
  auto& about = it.columns[events::about];
  if (is_there(about)
      && (lost_works_.contains(about.number)
          || !requests_.contains(row_id{about.number}.key()))) {
    wire::Event event;
    event.ParseFromString(it.columns[events::event].bytes);
    event.mutable_agent_done()->set_trimmed(true);
    it.columns[events::event] = blob(event);
    about = nothing();
  }
  epoch_ = std::max(epoch_, it.columns[epoch_at].number);
  into_.put("events", it);
  ++report_.events;
}

void salvage::put_gap(std::int64_t stream, const std::string& run,
                      std::uint64_t first, std::uint64_t last,
                      std::int64_t ts_ns) {
  wire::Event event;
  event.set_run_id(run);
  event.set_number(last);
  event.set_ts_ns(ts_ns);
  event.mutable_gap()->set_first(first);
  event.mutable_gap()->set_last(last);
  row made;
  made.id = row_id::of(stream, last).value;
  made.columns.assign(4, nothing());
  made.columns[epoch_at] = number(epoch_);
  made.columns[events::event] = blob(event);
  into_.put("events", made);
  auto range = std::to_string(first);
  if (last > first)
    range.append("-").append(std::to_string(last));
  lose(run, "events", range,
       "run " + run + (first == last ? ": event " : ": events ") + range
         + " cannot be read");
}

} // namespace turnstile::repair
