#include "actors/journal/lost_work.hpp"
#include "actors/journal/repair/columns.hpp"
#include "actors/journal/repair/salvage.hpp"
#include "messages/event.pb.h"

#include <algorithm>
#include <utility>

// Requests, and what is left of them if their own rows are lost.

namespace turnstile::repair {

void salvage::read_requests() {
  for (const auto& where : rows_.requests) {
    const auto it = reader_.read(where);
    if (is_key(where.id) && is_readable(it, 1, requests::word))
      know(it, where);
  }
  auto lost = lost_requests();
  name_lost(lost);
  for (auto& [key, it] : lost) {
    know(it, {});
    requests_.at(key).made = std::move(it);
  }
}

/// @pre all is readable up to the word of its end
void salvage::know(const row& it, const row_place& where) {
  const auto& columns = it.columns;
  request one;
  one.where = where;
  one.name = columns[requests::name].bytes;
  const auto request_id =
    static_cast<std::uint64_t>(columns[requests::request].number);
  const auto life = static_cast<std::uint64_t>(columns[requests::life].number);
  if (!reads(columns[requests::opened], one.opened)) {
    one.is_cut_off = true;
    one.opened.mutable_request()->set_value(request_id);
    one.opened.set_life(life);
    one.opened.set_name(one.name);
    one.opened.set_label(columns[requests::label].bytes);
    one.opened.set_at_unix_ns(columns[requests::opened_at].number);
  }
  one.called = one.name.empty()
                 ? "request " + std::to_string(request_id) + " of "
                     + columns[requests::scheduler].bytes
                 : "run " + one.name;
  if (const auto& label = columns[requests::label].bytes; !label.empty())
    one.called.append(" (").append(label).append(")");
  one.is_closed = one.is_cut_off || is_there(columns[requests::closed_at]);
  one.has_state = is_there(columns[requests::state]);
  if (wire::Tally tally;
      !where.is_older && reads(columns[requests::tally], tally))
    one.tally = std::move(tally);
  lives_ = std::max(lives_, columns[requests::life].number + 1);
  requests_.emplace(it.id, std::move(one));
}

/// Requests that only others know: an index, or their works. By key.
std::map<std::int64_t, row> salvage::lost_requests() {
  std::map<std::int64_t, row> lost;
  auto found = [&](std::int64_t key, const std::string& scheduler,
                   std::int64_t request_id, std::int64_t life) {
    if (!is_key(key) || requests_.contains(key) || lost.contains(key))
      return;
    auto& it = lost[key];
    it.id = key;
    it.columns.assign(requests::columns, nothing());
    it.columns[epoch_at] = number(0);
    it.columns[requests::scheduler] = text(scheduler);
    it.columns[requests::request] = number(request_id);
    it.columns[requests::life] = number(life);
    it.columns[requests::name] = text("");
    it.columns[requests::label] = text("");
    it.columns[requests::opened_at] = number(0);
    it.columns[requests::opened].is_readable = false;
    it.columns[requests::tally].is_readable = false;
  };
  for (const auto& one : names_.requests)
    found(one.id, one.scheduler, one.request, one.life);
  for (const auto& where : rows_.works) {
    const auto key = row_id{where.id}.key();
    if (requests_.contains(key) || lost.contains(key))
      continue;
    wire::AcceptedFact accepted;
    const auto it = reader_.read(where);
    if (is_readable(it, works::accepted, works::accepted)
        && reads(it.columns[works::accepted], accepted))
      found(key, "",
            static_cast<std::int64_t>(accepted.work_id().request().value()),
            static_cast<std::int64_t>(accepted.work_id().life()));
  }
  return lost;
}

// Events that tell the end of a task say whose it is; else an index may.
void salvage::name_lost(std::map<std::int64_t, row>& lost) {
  if (lost.empty())
    return;
  for (const auto& where : rows_.events) {
    const auto it = reader_.read(where);
    wire::Event event;
    if (!is_readable(it, 1, events::event)
        || !is_there(it.columns[events::about]))
      continue;
    const auto whose =
      lost.find(row_id{it.columns[events::about].number}.key());
    if (whose == lost.end()
        || !whose->second.columns[requests::name].bytes.empty()
        || !reads(it.columns[events::event], event))
      continue;
    whose->second.columns[requests::name] = text(event.run_id());
    whose->second.columns[requests::opened_at] = number(event.ts_ns());
  }
  for (auto& [key, it] : lost)
    if (it.columns[requests::name].bytes.empty())
      it.columns[requests::name] = text(name_in_index(key));
}

// Two indexes look alike: that of requests, and that of streams. What one of
// them says of a stream with this number is known.
std::string salvage::name_in_index(std::int64_t key) {
  std::vector<std::string> all;
  for (const auto& one : names_.called)
    if (one.id == key)
      all.push_back(one.text);
  for (const auto& where : rows_.streams)
    if (where.id == key)
      if (const auto stream =
            std::find(all.begin(), all.end(),
                      reader_.read(where).columns[streams::run].bytes);
          stream != all.end())
        all.erase(stream);
  return all.size() == 1 ? all.front() : "";
}

void salvage::bring_request(request& whose) {
  auto it = whose.made ? std::move(*whose.made) : reader_.read(whose.where);
  auto& columns = it.columns;
  const auto& id = whose.opened;
  auto close = [&](const std::string& word, std::int64_t at, const char* lost) {
    wire::ClosedFact closed;
    *closed.mutable_request() = id.request();
    closed.set_life(id.life());
    closed.set_word(word);
    closed.set_at_unix_ns(at);
    closed.set_status(to_wire(request_status::failed));
    *closed.mutable_failure() =
      to_wire(failure{errc::journal_damaged,
                      lost
                        + std::string{" was lost from a journal that was "
                                      "damaged"}});
    columns[requests::closed_at] = number(at);
    columns[requests::word] = text(word);
    columns[requests::closed] = blob(closed);
  };
  const auto had_closed = is_there(columns[requests::closed_at]);
  if (whose.is_cut_off) {
    columns[requests::opened] = blob(id);
    lose(whose.name, "run", whose.name,
         whose.called
           + ": what it was to do cannot be read; it can be looked at, but not "
             "resumed");
    if (!had_closed)
      close(lost_word, id.at_unix_ns(), "its beginning");
  }
  if (wire::ClosedFact closed;
      had_closed && !reads(columns[requests::closed], closed)) {
    if (!whose.is_cut_off)
      lose(whose.name, "run", whose.name,
           whose.called + ": only the word is left of its end, "
             + columns[requests::word].bytes);
    close(columns[requests::word].bytes, columns[requests::closed_at].number,
          "its end");
  }
  if (whose.has_state
      && (!columns[requests::state].is_readable || whose.where.is_older)) {
    columns[requests::state] = nothing();
    lose(whose.name, "state", whose.name,
         whose.called + ": its state cannot be read"
           + (whose.is_closed ? "" : ", so it counts as failed"));
    if (!whose.is_closed)
      close("failed", id.at_unix_ns(), "its state");
  }
  columns[requests::tally] = blob(whose.tally.value_or(wire::Tally{}));
  epoch_ = std::max(epoch_, columns[epoch_at].number);
  into_.put("requests", it);
  ++report_.requests;
}

} // namespace turnstile::repair
